import { Badge } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Pager } from "@/ui/pager";
import { Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { ApplicationBadges } from "../../applications/components/application-badges";
import { ApplicationMark } from "../../applications/components/application-mark";
import type { ShownApplication } from "../../applications/rules";
import type { ApplicationsPage } from "../loaders";

const COLUMNS = [
  { name: "Name" },
  { name: "Scopes" },
  { name: "Last used" },
  { name: "Open", silent: true },
] as const;

/** Shows the applications of the user, or an empty state. */
export function ApplicationList({ page, open }: { readonly page: ApplicationsPage; readonly open: boolean }) {
  const { applications, newer, older, now } = page;
  if (applications.length === 0 && newer === null && older === null) return <NoApplications open={open} />;
  return (
    <>
      <Table
        caption="Your applications"
        columns={COLUMNS}
        rows={applications.map((application) => ({
          key: application.id,
          cells: [
            <Identity key="name" application={application} />,
            <Scopes key="scopes" application={application} />,
            <span key="used" className="text-muted md:whitespace-nowrap">
              {application.lastUsedAt === null ? "Never" : <Ago at={application.lastUsedAt} now={now} />}
            </span>,
            <a
              key="open"
              href={`/user_settings/applications/${application.id}`}
              aria-label={`Open ${application.name}`}
            >
              Open
            </a>,
          ],
        }))}
      />
      <Pager newer={newer} older={older} />
    </>
  );
}

function Identity({ application }: { readonly application: ShownApplication }) {
  return (
    <div className="flex min-w-0 gap-3">
      <ApplicationMark application={application} size="small" />
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <bdi className="line-clamp-3 min-w-0 wrap-anywhere">{application.name}</bdi>
          <ApplicationBadges application={application} />
        </p>
        <code className="line-clamp-2 break-all text-muted text-small">{application.redirectUris[0]}</code>
      </div>
    </div>
  );
}

function Scopes({ application }: { readonly application: ShownApplication }) {
  return (
    <ul className="flex flex-wrap gap-1">
      {application.scopes.map((scope) => (
        <li key={scope}>
          <Badge>{scope}</Badge>
        </li>
      ))}
    </ul>
  );
}

const NoApplications = ({ open }: { readonly open: boolean }) => (
  <EmptyState
    title="You have no applications yet"
    action={
      open ? (
        <ButtonLink href="/user_settings/applications/new">Register your first application</ButtonLink>
      ) : undefined
    }
  >
    {open
      ? "Register a website, an app or a command-line tool, so that people can sign in to it with their account."
      : "Applications that an administrator registers for you are listed here."}
  </EmptyState>
);
