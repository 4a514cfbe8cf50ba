import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import {
  revokeApplication,
  revokeGrant,
  revokeGrantsWithoutApplication,
} from "@/oauth/authorizations/actions";
import { AuthorizedApplicationDetails } from "@/oauth/authorizations/components/authorized-application-details";
import { loadAuthorizedApplication } from "@/oauth/authorizations/loaders";

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
