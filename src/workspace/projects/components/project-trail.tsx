import type { Project } from "../rules";

/** The breadcrumb of a project: the group or the user to which it belongs, and the project. */
export function ProjectTrail({ project }: { readonly project: Project }) {
  const { namespace } = project;
  return (
    <nav aria-label="Breadcrumb" className="text-muted text-small">
      <ol className="flex flex-wrap gap-x-2">
        <li className="wrap-anywhere">
          {namespace.kind === "group" ? (
            <a href={`/groups/${namespace.group.id}`} className="text-muted">
              {namespace.group.fullPath}
            </a>
          ) : (
            namespace.username
          )}
        </li>
        <li aria-hidden="true">/</li>
        <li className="wrap-anywhere">
          <a href={`/projects/${project.id}`} className="text-muted">
            {project.path}
          </a>
        </li>
      </ol>
    </nav>
  );
}
