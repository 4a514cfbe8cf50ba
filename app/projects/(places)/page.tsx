import type { Metadata } from "next";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { StaticMarkup } from "@/ui/static-markup";
import { Tabs } from "@/ui/tabs";
import { ProjectTable } from "@/workspace/projects/components/project-list";
import { loadProjects, PROJECTS } from "@/workspace/projects/loaders";
import { orNotFound } from "../../or-not-found";

export const metadata: Metadata = { title: "Projects" };

export default orNotFound(async function ProjectsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const { projects, scope, search, pager, user, now } = await loadProjects(await searchParams);
  const tab = (label: string, value: typeof scope) => ({
    label,
    href: urlWithQuery(PROJECTS, { scope: value === "all" ? "all" : "", search }),
    current: scope === value,
  });
  return (
    <StaticMarkup>
      <PageHead
        title="Projects"
        about="Repositories, merge requests, packages and errors of your teams."
        action={
          user === null ? undefined : (
            <ButtonLink kind="primary" href="/projects/new">
              New project
            </ButtonLink>
          )
        }
      />
      {user === null ? null : (
        <Tabs label="Filter projects" tabs={[tab("Yours", "yours"), tab("All visible projects", "all")]} />
      )}
      <SearchForm
        action={PROJECTS}
        label="Find a project"
        search={search}
        keep={{ scope: scope === "all" && user !== null ? "all" : "" }}
      />
      {projects.length === 0 ? (
        <NoProjects searched={search !== ""} signedIn={user !== null} />
      ) : (
        <ProjectTable caption="Projects" projects={projects} now={now} />
      )}
      <Pager {...pager} />
    </StaticMarkup>
  );
});

function NoProjects(props: { readonly searched: boolean; readonly signedIn: boolean }) {
  if (props.searched)
    return (
      <EmptyState title="No projects found">Search for any part of the name or path of a project.</EmptyState>
    );
  if (!props.signedIn)
    return <EmptyState title="No public projects">Sign in to see the projects of your teams.</EmptyState>;
  return (
    <EmptyState
      title="No projects yet"
      action={<ButtonLink href="/projects/new">Create your first project</ButtonLink>}
    >
      A project contains a Git repository, its members and the errors that your programs report.
    </EmptyState>
  );
}
