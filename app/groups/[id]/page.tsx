import { reaches } from "@/access/roles";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Pager } from "@/ui/pager";
import { StaticMarkup } from "@/ui/static-markup";
import { Subgroups } from "@/workspace/groups/components/group-list";
import { VisibilityBadge } from "@/workspace/naming/components/visibility";
import { ProjectTable } from "@/workspace/projects/components/project-list";
import { loadGroup } from "@/workspace/projects/loaders";
import { orNotFound } from "../../or-not-found";

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function GroupPage({ params, searchParams }: Props) {
  const { group, subgroups, projects, pager, now } = await loadGroup((await params).id, await searchParams);
  const { id, name, description, visibility, role } = group;
  return (
    <StaticMarkup>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid min-w-60 flex-1 gap-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 font-semibold text-title wrap-anywhere">
              <bdi>{name}</bdi>
            </h1>
            <VisibilityBadge visibility={visibility} />
          </div>
          {description === "" ? null : (
            <p className="whitespace-pre-line text-muted wrap-anywhere" dir="auto">
              {description}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          {reaches(role, "maintainer") ? (
            <ButtonLink href={`/groups/new?parent=${id}`}>New subgroup</ButtonLink>
          ) : null}
          {reaches(role, "developer") ? (
            <ButtonLink kind="primary" href={`/projects/new?group=${id}`}>
              New project
            </ButtonLink>
          ) : null}
        </div>
      </div>
      {subgroups.length === 0 ? null : (
        <section className="grid gap-3">
          <h2 className="font-semibold">Subgroups</h2>
          <Subgroups groups={subgroups} />
        </section>
      )}
      <section className="grid gap-3">
        <h2 className="font-semibold">Projects</h2>
        {projects.length === 0 ? (
          <EmptyState title="No projects">This group has no projects that you can see.</EmptyState>
        ) : (
          <ProjectTable caption="Projects in this group" projects={projects} now={now} />
        )}
        <Pager {...pager} />
      </section>
    </StaticMarkup>
  );
});
