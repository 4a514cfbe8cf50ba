import { CloneCard } from "@/code/repositories/components/clone-card";
import { loadRepository } from "@/code/repositories/loaders";
import { countUnresolved } from "@/error-tracking/tracked-errors/loaders";
import { visibleName } from "@/kernel/text/visible";
import { loadOfferedBranch } from "@/review/merge-requests/loaders";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { StaticMarkup } from "@/ui/static-markup";
import { Ago } from "@/ui/time";
import { VisibilityBadge } from "@/workspace/naming/components/visibility";
import { ProjectFacts } from "@/workspace/projects/components/project-facts";
import { loadOverview } from "@/workspace/projects/loaders";
import { orNotFound } from "../../or-not-found";

type Props = { readonly params: Promise<{ readonly id: string }> };

export default orNotFound(async function ProjectPage({ params }: Props) {
  const { project, now } = await loadOverview((await params).id);
  const unresolved = await countUnresolved(project);
  const repository = loadRepository(project);
  const offered = await loadOfferedBranch(project);
  return (
    <StaticMarkup>
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 font-semibold text-title wrap-anywhere">
            <bdi>{project.name}</bdi>
          </h1>
          <VisibilityBadge visibility={project.visibility} />
        </div>
        {project.description === "" ? null : (
          <p className="whitespace-pre-line text-muted wrap-anywhere" dir="auto">
            {project.description}
          </p>
        )}
      </div>
      {offered === null ? null : (
        <Card
          title={`You pushed ${visibleName(offered.branch)}`}
          about={<Ago at={offered.pushedAt} now={now} />}
          action={
            <ButtonLink kind="primary" href={offered.url}>
              Create merge request
            </ButtonLink>
          }
        />
      )}
      {unresolved === null ? null : (
        <Card
          title={unresolvedText(unresolved)}
          about="Errors that your programs reported and that are neither resolved nor ignored."
          action={<ButtonLink href={`/projects/${project.id}/errors`}>Errors</ButtonLink>}
        />
      )}
      {repository === null ? null : <CloneCard repository={repository} />}
      <ProjectFacts project={project} now={now} />
    </StaticMarkup>
  );
});

function unresolvedText(count: number): string {
  if (count === 0) return "No unresolved errors";
  return count === 1 ? "1 unresolved error" : `${count.toLocaleString("en")} unresolved errors`;
}
