import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import {
  revokeApplication,
  revokeGrant,
  revokeGrantsWithoutApplication,
  revokeUnusedApplications,
} from "@/oauth/authorizations/actions";
import { AuthorizedApplicationList } from "@/oauth/authorizations/components/authorized-application-list";
import { loadAuthorizedApplications } from "@/oauth/authorizations/loaders";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Authorized applications" };

export default async function AuthorizedApplicationsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const page = await loadAuthorizedApplications(await searchParams);
  return (
    <StaticMarkup>
      <PageHead
        title="Authorized applications"
        about="Applications and devices that can use your account. Revoke the applications and devices that you do not use or do not recognize."
      />
      <AuthorizedApplicationList
        page={page}
        revokeGrant={revokeGrant}
        revokeApplication={revokeApplication}
        revokeUnnamed={revokeGrantsWithoutApplication}
        revokeUnused={revokeUnusedApplications}
      />
    </StaticMarkup>
  );
}
