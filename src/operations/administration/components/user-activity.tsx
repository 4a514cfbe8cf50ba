import type { ReactNode } from "react";
import type { ListedUser } from "@/identity/users/administration";
import { describeBrowser } from "@/kernel/http/user-agent";
import { EventTable } from "@/operations/audit/components/event-table";
import { Card } from "@/ui/card";
import { OneLine } from "@/ui/one-line";
import { type Column, Table, type TableRow } from "@/ui/table";
import { Ago, Until } from "@/ui/time";
import type { UserActivity } from "../loaders";
import { USER_SECTIONS } from "./user-sections";

/** Lists the sessions, tokens, applications, second factors and latest audit events of a user. */
export function UserActivityCards(props: {
  readonly user: ListedUser;
  readonly activity: UserActivity;
  readonly now: Date;
}) {
  const { user, activity, now } = props;
  const { sessions, tokens, authorized, own, twoFactor, events } = activity;
  const used = (at: Date | null) => (at === null ? "Never" : <Ago at={at} now={now} />);
  const history = `/admin/audit_events?person=${encodeURIComponent(user.username)}`;
  return (
    <>
      <Card
        id={USER_SECTIONS.secondFactors.id}
        title="Second factors"
        about={user.twoFactorSince === null ? "Not set up." : undefined}
      >
        {user.twoFactorSince === null ? null : (
          <ul className="grid gap-1">
            {twoFactor.totp ? <li>An authenticator app</li> : null}
            {twoFactor.passkeys.map(({ id, name, lastUsedAt }) => (
              <li key={id} className="wrap-anywhere">
                The passkey <bdi>{name}</bdi>, last used: {used(lastUsedAt)}
              </li>
            ))}
            <li>{twoFactor.recoveryCodesLeft} unused recovery codes</li>
          </ul>
        )}
      </Card>
      <List
        id={USER_SECTIONS.sessions.id}
        title="Sessions"
        empty="This user is not signed in."
        columns={[
          { name: "Browser", width: "rest" },
          { name: "IP address" },
          { name: "Last used" },
          { name: "Signed in" },
        ]}
        hasMore={sessions.hasNext}
        rows={sessions.rows.map(({ id, userAgent, createdAt, lastSeenAt, ...session }) => ({
          key: id,
          cells: [
            <OneLine key="browser" text={describeBrowser(userAgent)} className="text-small" />,
            session.address === "" ? "Unknown" : session.address,
            used(lastSeenAt ?? createdAt),
            <Ago key="since" at={createdAt} now={now} />,
          ],
        }))}
      />
      <List
        id={USER_SECTIONS.tokens.id}
        title="Personal access tokens"
        empty="This user has no active personal access token."
        columns={[
          { name: "Name", width: "third" },
          { name: "Scopes", width: "third" },
          { name: "Last used" },
          { name: "Expires" },
        ]}
        hasMore={tokens.hasMore}
        rows={tokens.rows.map(({ id, name, scopes, lastUsedAt, expiresAt }) => ({
          key: id,
          cells: [
            <OneLine key="name" text={name} />,
            <OneLine key="scopes" text={scopes.join(" ")} className="font-mono text-small" />,
            used(lastUsedAt),
            expiresAt === null ? "Never" : <Until key="expires" at={expiresAt} now={now} />,
          ],
        }))}
      />
      <List
        id={USER_SECTIONS.authorized.id}
        title="Authorized applications"
        empty="This user has not authorized an application."
        columns={[{ name: "Application", width: "rest" }, { name: "Grants" }, { name: "Last used" }]}
        hasMore={authorized.hasMore}
        rows={authorized.rows.map(({ id, name, count, grants }) => ({
          key: id,
          cells: [
            <ApplicationLink key="application" id={id} name={name} />,
            String(count),
            used(grants[0]?.lastUsedAt ?? null),
          ],
        }))}
      />
      <List
        id={USER_SECTIONS.applications.id}
        title="Applications of this user"
        empty="This user has not registered an application."
        columns={[{ name: "Application", width: "rest" }, { name: "Last used" }]}
        hasMore={own.hasMore}
        more={
          <a href={`/admin/applications?search=${encodeURIComponent(user.username)}`}>
            Show all applications
          </a>
        }
        rows={own.rows.map(({ id, name, lastUsedAt }) => ({
          key: id,
          cells: [<ApplicationLink key="application" id={id} name={name} />, used(lastUsedAt)],
        }))}
      />
      <Card id={USER_SECTIONS.events.id} title="Latest audit events" action={<a href={history}>Show all</a>}>
        {events.length === 0 ? (
          <p className="text-muted">No audit event concerns this user.</p>
        ) : (
          <EventTable events={events} now={now} />
        )}
      </Card>
    </>
  );
}

const ApplicationLink = ({ id, name }: { readonly id: number; readonly name: string }) => (
  <a href={`/admin/applications/${id}`}>
    <OneLine text={name} />
  </a>
);

function List(props: {
  readonly id: string;
  readonly title: string;
  readonly empty: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  readonly hasMore: boolean;
  /** A link to the complete list. The page shows only the first rows. */
  readonly more?: ReactNode;
}) {
  const { title, rows } = props;
  return (
    <Card id={props.id} title={title} about={rows.length === 0 ? props.empty : undefined}>
      {rows.length === 0 ? null : <Table caption={title} columns={props.columns} rows={rows} />}
      {props.hasMore ? (
        <p className="text-small text-muted">
          {props.more ?? `Only the newest ${rows.length} rows are shown.`}
        </p>
      ) : null}
    </Card>
  );
}
