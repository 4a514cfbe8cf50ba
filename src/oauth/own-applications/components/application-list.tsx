import type { ReactNode } from "react";
import { groupScopes } from "@/access/scopes";
import { urlWithQuery } from "@/kernel/http/query";
import { Badge } from "@/ui/badge";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { OneLine } from "@/ui/one-line";
import { PageNumbers } from "@/ui/page-numbers";
import { SearchForm } from "@/ui/search-form";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { WithAvatar } from "@/ui/with-avatar";
import { ApplicationBadges } from "../../applications/components/application-badges";
import { ApplicationMark } from "../../applications/components/application-mark";
import { OWN_SORTS, type OwnSort, type ShownApplication } from "../../applications/rules";
import type { ApplicationsPage } from "../loaders";

const HOME = "/user_settings/applications";

const COLUMNS: readonly Column[] = [
  { name: "Name", width: "rest" },
  { name: "Scopes" },
  { name: "Users" },
  { name: "Last used" },
];

const SORTS: Readonly<Record<OwnSort, string>> = { newest: "Newest", name: "Name", last_use: "Last used" };

/**
 * Shows a search field and the applications of the user or of a group. If there are no applications, the
 * component shows an explanation instead.
 * @param props.userId the id of the viewer, if the list contains applications that the viewer only maintains.
 */
export function ApplicationList(props: {
  readonly page: ApplicationsPage;
  readonly empty: ReactNode;
  readonly userId?: number;
}) {
  const { page } = props;
  const { applications, search, total, now } = page;
  if (total === 0 && search === "") return props.empty;
  return (
    <>
      <SearchForm
        action={page.path}
        label="Search applications"
        search={search}
        keep={{ sort: page.sort === "newest" ? "" : page.sort }}
      />
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p role="status">{counted(total, search)}</p>
        <Sorts page={page} />
      </div>
      {applications.length === 0 ? null : (
        <Table
          caption="Applications"
          columns={COLUMNS}
          rows={applications.map((application) => ({
            key: application.id,
            cells: [
              <Identity
                key="name"
                application={application}
                isMaintainer={props.userId !== undefined && application.owner.id !== props.userId}
              />,
              <Scopes key="scopes" application={application} />,
              <span key="users" className="tabular-nums">
                {application.users.toLocaleString("en")}
              </span>,
              <span key="used" className="text-muted md:whitespace-nowrap">
                {application.lastUsedAt === null ? "Never" : <Ago at={application.lastUsedAt} now={now} />}
              </span>,
            ],
          }))}
        />
      )}
      <PageNumbers
        page={page.page}
        pages={page.pages}
        hrefOf={(number) => urlOf(page, { page: number === 1 ? "" : String(number) })}
      />
    </>
  );
}

function counted(total: number, search: string): string {
  const count = `${total.toLocaleString("en")} ${total === 1 ? "application" : "applications"}`;
  return search === "" ? count : `${count} found`;
}

const urlOf = ({ path, search, sort }: ApplicationsPage, change: Readonly<Record<string, string>>): string =>
  urlWithQuery(path, { search, sort: sort === "newest" ? "" : sort, ...change });

/** Links that sort the list of applications. */
const Sorts = ({ page }: { readonly page: ApplicationsPage }) => (
  <nav aria-label="Sort" className="flex gap-4 text-small">
    {OWN_SORTS.map((sort) => (
      <a
        key={sort}
        href={urlOf(page, { sort: sort === "newest" ? "" : sort })}
        aria-current={sort === page.sort ? "true" : undefined}
        className={sort === page.sort ? "font-semibold text-ink no-underline" : ""}
      >
        {SORTS[sort]}
      </a>
    ))}
  </nav>
);

function Identity(props: { readonly application: ShownApplication; readonly isMaintainer: boolean }) {
  const { application } = props;
  return (
    <WithAvatar avatar={<ApplicationMark application={application} size="small" />}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold md:flex-nowrap">
        <a href={`${HOME}/${application.id}`} className="min-w-0">
          <OneLine text={application.name} className="max-md:line-clamp-2" />
        </a>
        <ApplicationBadges application={application} />
        {props.isMaintainer ? <Badge>maintainer</Badge> : null}
      </p>
      <code className="line-clamp-1 break-all text-muted text-small">{application.redirectUris[0]}</code>
    </WithAvatar>
  );
}

/** The maximum number of scopes that a row of the list shows. */
const SCOPES_SHOWN = 2;

/** Shows the strongest scopes of an application, and the number of its other scopes. */
function Scopes({ application }: { readonly application: ShownApplication }) {
  const groups = groupScopes(application.scopes).slice(0, SCOPES_SHOWN);
  const others = application.scopes.length - groups.length;
  return (
    <ul className="flex flex-wrap items-baseline gap-1 md:flex-nowrap md:whitespace-nowrap">
      {groups.map(({ scope }) => (
        <li key={scope}>
          <Badge>{scope}</Badge>
        </li>
      ))}
      {others === 0 ? null : <li className="text-muted text-small">and {others} more</li>}
    </ul>
  );
}

/** The content of an empty list of the user's own applications. */
export const NoApplications = ({ open }: { readonly open: boolean }) => (
  <EmptyState
    title="You have no applications yet"
    action={
      open ? (
        <ButtonLink href="/user_settings/applications/new">Register your first application</ButtonLink>
      ) : undefined
    }
  >
    {open
      ? "Register a website, an app or a command-line tool, so that people can sign in with their account."
      : "Applications that an administrator registers for you are listed here."}
  </EmptyState>
);
