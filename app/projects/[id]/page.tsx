import type { Metadata } from "next";
import { ProjectFacts } from "@/features/projects/components/project-facts";
import { VisibilityBadge } from "@/features/projects/components/visibility";
import { loadOverview } from "@/features/projects/loaders";
import { orNotFound } from "../../or-not-found";

export const metadata: Metadata = { title: "Project" };

export default orNotFound(async function ProjectPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { project, now } = await loadOverview((await props.params).id);
  return (
    <>
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
      <ProjectFacts project={project} now={now} />
    </>
  );
});
