import { ApplicationMark } from "@/oauth/applications/components/application-mark";
import type { ApplicationOwner, ListedApplication } from "@/oauth/applications/rules";
import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { WithAvatar } from "@/ui/with-avatar";

const COLUMNS: readonly Column[] = [
  { name: "Application", width: "half" },
  { name: "Owner", width: "quarter" },
  { name: "Last used" },
];

type Listed = ListedApplication & Readonly<{ logo: string | null }>;

export function ApplicationsTable(props: {
  readonly applications: readonly Listed[];
  readonly search: string;
  readonly now: Date;
}) {
  if (props.applications.length === 0)
    return props.search === "" ? (
      <EmptyState title="There are no applications yet">
        Register an application, or allow users to register applications under <i>Settings, Applications</i>.
      </EmptyState>
    ) : (
      <EmptyState title="No application matches this search">
        Search for any part of a name, or for the beginning of an Application ID or of an owner&rsquo;s
        username or full path.
      </EmptyState>
    );
  const rows = props.applications.map((application) => ({
    key: application.id,
    cells: [
      <What key="what" application={application} />,
      <OwnerLink key="owner" owner={application.owner} />,
      <LastUse key="last" at={application.lastUsedAt} now={props.now} />,
    ],
  }));
  return <Table caption="Applications" columns={COLUMNS} rows={rows} />;
}

function What({ application }: { readonly application: Listed }) {
  return (
    <WithAvatar avatar={<ApplicationMark application={application} size="small" />}>
      <span className="flex flex-wrap items-center gap-x-2 md:flex-nowrap">
        <a href={`/admin/applications/${application.id}`} className="min-w-0 font-semibold">
          <OneLine text={application.name} />
        </a>
        <ApplicationBadges application={application} />
      </span>
      <code className="text-small text-muted wrap-anywhere">{application.uid.slice(0, 16)}…</code>
    </WithAvatar>
  );
}

export function ApplicationBadges({ application }: { readonly application: ListedApplication }) {
  return (
    <>
      {application.blockedAt === null ? null : <Badge>blocked</Badge>}{" "}
      {application.ownerBlocked ? <Badge>owner blocked</Badge> : null}{" "}
      {application.trusted ? <Badge>trusted</Badge> : null}{" "}
      {application.confidential ? null : <Badge>public</Badge>}
    </>
  );
}

function OwnerLink({ owner }: { readonly owner: ApplicationOwner }) {
  if (owner.kind === "nobody") return <span className="text-muted">Not registered</span>;
  return (
    <a href={ownerHref(owner)} className="min-w-0">
      <OneLine text={ownerLabel(owner)} />
    </a>
  );
}

/** Returns the URL of the page of the owner of an application: the page of a user or of a group. */
export const ownerHref = ({ kind, id }: ApplicationOwner): string =>
  kind === "group" ? `/groups/${id}` : `/admin/users/${id}`;

/** Returns the username or the full path of the owner of an application. */
export const ownerLabel = ({ kind, path }: ApplicationOwner): string =>
  kind === "group" ? path : `@${path}`;

export const LastUse = (props: { readonly at: Date | null; readonly now: Date }) =>
  props.at === null ? <span>Never</span> : <Ago at={props.at} now={props.now} />;
