import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import type { Application } from "../rules";

/** The person's applications, or what to do when there is none. */
export function ApplicationList({ applications }: { readonly applications: readonly Application[] }) {
  if (applications.length === 0)
    return (
      <EmptyState title="You have no applications yet">
        Register one, and it can ask people for access to their account.
      </EmptyState>
    );
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-panel">
      {applications.map((application) => (
        <li
          key={application.id}
          className="grid gap-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
        >
          <div className="grid min-w-0 gap-1">
            <p className="font-semibold break-words">
              {application.name} {application.confidential ? null : <Badge>public</Badge>}{" "}
              {application.trusted ? <Badge>trusted</Badge> : null}
            </p>
            <code className="text-small break-all text-muted">{application.redirectUris[0]}</code>
            <p className="flex flex-wrap gap-1">
              {application.scopes.map((scope) => (
                <Badge key={scope}>{scope}</Badge>
              ))}
            </p>
          </div>
          <a href={`/user_settings/applications/${application.id}`} aria-label={`Open ${application.name}`}>
            Open
          </a>
        </li>
      ))}
    </ul>
  );
}
