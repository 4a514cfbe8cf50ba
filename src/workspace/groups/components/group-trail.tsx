import type { Group } from "../rules";

/** The breadcrumb of a group: the link to all groups, the parent group, and the group. */
export function GroupTrail({ group }: { readonly group: Group }) {
  const parentPath = group.fullPath.split("/").slice(0, -1).join("/");
  return (
    <nav aria-label="Breadcrumb" className="text-muted text-small">
      <ol className="flex flex-wrap gap-x-2">
        <li>
          <a href="/groups" className="text-muted">
            Groups
          </a>
        </li>
        <li aria-hidden="true">/</li>
        {group.parentId === null ? null : (
          <>
            <li className="wrap-anywhere">
              <a href={`/groups/${group.parentId}`} className="text-muted">
                {parentPath}
              </a>
            </li>
            <li aria-hidden="true">/</li>
          </>
        )}
        <li className="wrap-anywhere">
          <a href={`/groups/${group.id}`} className="text-muted">
            {group.path}
          </a>
        </li>
      </ol>
    </nav>
  );
}
