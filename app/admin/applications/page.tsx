import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ApplicationsTable } from "@/operations/administration/components/applications-table";
import { loadAllApplications } from "@/operations/administration/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Applications of the instance" };

export default async function InstanceApplicationsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const { applications, search, pager, now } = await loadAllApplications(await searchParams);
  return (
    <StaticMarkup>
      <PageHead
        title="Applications"
        about="All applications of this instance, including the applications of users and groups."
        action={
          <ButtonLink kind="primary" href="/user_settings/applications/new">
            Register an application
          </ButtonLink>
        }
      />
      <SearchForm
        action="/admin/applications"
        label="Find an application"
        hint="Enter part of a name, or the beginning of an Application ID or of the owner’s username or full path."
        search={search}
      />
      <ApplicationsTable applications={applications} search={search} now={now} />
      <Pager {...pager} newestFirst />
    </StaticMarkup>
  );
}
