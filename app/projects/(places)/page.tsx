import type { Metadata } from "next";
import { type Query, urlWithQuery } from "@/kernel/paging/keyset";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { Tabs } from "@/ui/tabs";
import { ProjectTable } from "@/workspace/projects/components/project-list";
import { loadProjects, PROJECTS } from "@/workspace/projects/loaders";
import { orNotFound } from "../../or-not-found";

export const metadata: Metadata = { title: "Projects" };

const WORDS = { newer: "Previous", older: "Next" };

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
    <>
      <PageHead
        title="Projects"
        about="What your teams work on, with the errors that their programs report."
        action={
          user === null ? undefined : (
            <ButtonLink kind="primary" href="/projects/new">
              New project
            </ButtonLink>
          )
        }
      />
      {user === null ? null : (
        <Tabs label="Which projects" tabs={[tab("Yours", "yours"), tab("All you can see", "all")]} />
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
      <Pager {...pager} words={WORDS} />
    </>
  );
});

function NoProjects(props: { readonly searched: boolean; readonly signedIn: boolean }) {
  if (props.searched)
    return (
      <EmptyState title="No project was found">
        A project is found by any part of its name or path.
      </EmptyState>
    );
  if (!props.signedIn)
    return <EmptyState title="Nothing here is public">Sign in to see the projects of your teams.</EmptyState>;
  return (
    <EmptyState
      title="There are no projects here yet"
      action={<ButtonLink href="/projects/new">Make your first project</ButtonLink>}
    >
      A project has members, and can collect the errors of a program wherever it runs.
    </EmptyState>
  );
}
