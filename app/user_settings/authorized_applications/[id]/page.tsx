import type { Metadata } from "next";
import {
  revokeApplication,
  revokeGrant,
  revokeGrantsWithoutApplication,
} from "@/features/authorizations/actions";
import { AuthorizedApplicationDetails } from "@/features/authorizations/components/authorized-application-details";
import { loadAuthorizedApplication } from "@/features/authorizations/loaders";
import type { Query } from "@/platform/keyset";

export const metadata: Metadata = { title: "Authorized application" };

export default async function AuthorizedApplicationPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const page = await loadAuthorizedApplication((await props.params).id, await props.searchParams);
  return (
    <AuthorizedApplicationDetails
      page={page}
      revokeGrant={revokeGrant}
      revokeApplication={revokeApplication}
      revokeUnnamed={revokeGrantsWithoutApplication}
    />
  );
}
