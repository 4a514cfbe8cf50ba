import { SCOPES, type Scope } from "@/access/scopes";
import { urlWithQuery } from "@/kernel/http/query";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { EmptyState } from "@/ui/empty-state";
import { isolated } from "@/ui/isolated";
import { OneLine } from "@/ui/one-line";
import { PageNumbers } from "@/ui/page-numbers";
import { Plot } from "@/ui/plot";
import { SearchForm } from "@/ui/search-form";
import { Ago } from "@/ui/time";
import { ApplicationMark } from "../../applications/components/application-mark";
import type { GrantSummary } from "../../tokens/live-grants";
import type { AuthorizedApplication } from "../authorized-application";
import type { AuthorizedApplicationsPage } from "../loaders";
import { UNUSED_DAYS } from "../rules";
import { GrantList } from "./grant-list";

const HOME = "/user_settings/authorized_applications";

type Actions = Readonly<{
  revokeGrant: (form: FormData) => Promise<void>;
  revokeApplication: (form: FormData) => Promise<void>;
  revokeUnnamed: () => Promise<void>;
}>;

type Props = Actions & Readonly<{ page: AuthorizedApplicationsPage; revokeUnused: () => Promise<void> }>;

/**
 * Shows the authorized applications of a user, with one line for each application. Each line can be opened to
 * show the access and the devices of the application.
 */
export function AuthorizedApplicationList({ page, revokeUnused, ...actions }: Props) {
  const { applications, unnamed, search, total, now } = page;
  const hasUnnamed = unnamed !== null && unnamed.count > 0;
  if (total === 0 && search === "" && !hasUnnamed)
    return (
      <EmptyState title="No application can use your account">
        Applications and devices that you allow to use your account are listed here. You can revoke the access
        of each application and device at any time.
      </EmptyState>
    );
  return (
    <>
      <SearchForm action={HOME} label="Search authorized applications" search={search} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">
          {total.toLocaleString("en")} {total === 1 ? "application" : "applications"}
          {search === "" ? "" : " found"}
        </p>
        {page.unused === 0 ? null : <RevokeUnused count={page.unused} revoke={revokeUnused} />}
      </div>
      {applications.length === 0 && !hasUnnamed ? null : (
        <ul className="divide-y divide-line rounded-card border border-line bg-panel">
          {applications.map((application) => (
            <li key={application.id}>
              <ApplicationLine application={application} isOnly={total === 1} now={now} {...actions} />
            </li>
          ))}
          {hasUnnamed ? (
            <li>
              <UnnamedLine summary={unnamed} now={now} {...actions} />
            </li>
          ) : null}
        </ul>
      )}
      <PageNumbers
        page={page.page}
        pages={page.pages}
        hrefOf={(number) => urlWithQuery(HOME, { search, page: number === 1 ? "" : String(number) })}
      />
    </>
  );
}

/** Shows a button that revokes the access of all applications that the user has not used for a long time. */
const RevokeUnused = (props: { readonly count: number; readonly revoke: () => Promise<void> }) => (
  <Confirm
    id="revoke-unused"
    size="small"
    summary={`Revoke unused applications: ${props.count}`}
    title={`Revoke the applications that you have not used for ${UNUSED_DAYS} days?`}
    question={`Applications whose tokens stop working: ${props.count}. Each application must ask for your consent before it can use your account again.`}
  >
    <form action={props.revoke}>
      <Button kind="danger">Revoke unused applications</Button>
    </form>
  </Confirm>
);

const SUMMARY =
  "flex min-h-12 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-ground sm:flex-nowrap md:min-h-11 md:py-0.5 md:leading-5";

function ApplicationLine(
  props: Actions &
    Readonly<{
      application: AuthorizedApplicationsPage["applications"][number];
      /**
       * Whether the application is the only application in the list. The line of an application is expanded
       * if the list contains only this application.
       */
      isOnly: boolean;
      now: Date;
    }>,
) {
  const { application, now } = props;
  const { id, name, owner, allowedAt, scopes, count, grants, usedAt, issues } = application;
  return (
    <details open={props.isOnly}>
      <summary className={SUMMARY}>
        <ApplicationMark application={application} size="small" />
        <span className="grid min-w-32 flex-1 grid-cols-[minmax(0,1fr)]">
          <OneLine text={name} className="font-semibold max-md:line-clamp-2" />
          <OneLine text={`by ${isolated(owner)}`} className="text-muted text-small max-md:line-clamp-1">
            by <bdi>{owner}</bdi>
          </OneLine>
        </span>
        <span className="w-20 shrink-0">
          <Plot
            sentence={`Tokens issued in the last ${issues.length} days: ${issues.join(", ")}`}
            bars={issues.map((issued, at) => ({ label: dayLabel(issues.length - 1 - at), count: issued }))}
          />
        </span>
        <span className="shrink-0 text-muted text-small sm:w-44 sm:text-right">
          {count === 0 ? "no active token" : devices(count)} · <Ago at={usedAt} now={now} />
        </span>
      </summary>
      <div className="grid gap-4 px-4 pt-2 pb-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="text-muted text-small">
            {allowedAt === null ? (
              "No consent required"
            ) : (
              <>
                Allowed <Ago at={allowedAt} now={now} />
              </>
            )}
          </p>
          <RevokeApplication application={application} revoke={props.revokeApplication} size="small" />
        </div>
        <ScopeSentences scopes={scopes} />
        {count === 0 ? (
          <p className="text-small text-muted">This application has no active token.</p>
        ) : (
          <GrantList grants={grants} now={now} revoke={props.revokeGrant} />
        )}
        {count > grants.length ? <a href={`${HOME}/${id}`}>View all {count} tokens</a> : null}
      </div>
    </details>
  );
}

const devices = (count: number): string => `${count} ${count === 1 ? "device" : "devices"}`;

const dayLabel = (daysAgo: number): string => (daysAgo === 0 ? "Last 24 hours" : `${daysAgo} days earlier`);

/** Shows a button that revokes all access of an application after the user has confirmed the revocation. */
export function RevokeApplication(props: {
  readonly application: Pick<AuthorizedApplication, "id" | "name">;
  readonly revoke: (form: FormData) => Promise<void>;
  readonly size?: "small";
}) {
  const { id, name } = props.application;
  return (
    <Confirm
      id={`revoke-application-${id}`}
      summary="Revoke all"
      title={`Revoke the access of ${isolated(name)}?`}
      question="All tokens of this application stop working immediately, on every device. The application must ask for your consent before it can use your account again."
      {...(props.size === undefined ? {} : { size: props.size })}
    >
      <form action={props.revoke} className="min-w-0">
        <input type="hidden" name="id" value={id} />
        <Button kind="danger">Revoke all</Button>
      </form>
    </Confirm>
  );
}

/** Describes the scopes of an application. */
export function ScopeSentences({ scopes }: { readonly scopes: readonly Scope[] }) {
  return (
    <div className="grid gap-1">
      <p className="text-small font-semibold text-muted">Allowed access</p>
      <ul className="grid gap-1">
        {scopes.map((scope) => (
          <li key={scope} className="wrap-anywhere">
            {SCOPES[scope].label}. <span className="text-small text-muted">{SCOPES[scope].detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function UnnamedLine(props: Actions & { readonly summary: GrantSummary; readonly now: Date }) {
  const { count, newest, scopes } = props.summary;
  return (
    <details>
      <summary className={SUMMARY}>
        <span className="grid min-w-32 flex-1">
          <span className="font-semibold">Tokens without an application</span>
          <span className="text-muted text-small">
            Used by programs that signed in with your username and password
          </span>
        </span>
        <span className="shrink-0 text-muted text-small">{devices(count)}</span>
      </summary>
      <div className="grid gap-4 px-4 pt-2 pb-4">
        <div className="flex justify-end">
          <RevokeUnnamed revoke={props.revokeUnnamed} size="small" />
        </div>
        <ScopeSentences scopes={scopes} />
        <GrantList grants={newest} now={props.now} revoke={props.revokeGrant} />
        {count > newest.length ? <a href={`${HOME}/none`}>View all {count} tokens</a> : null}
      </div>
    </details>
  );
}

export function RevokeUnnamed(props: { readonly revoke: () => Promise<void>; readonly size?: "small" }) {
  return (
    <Confirm
      id="revoke-application-none"
      summary="Revoke all"
      title="Revoke all tokens without an application?"
      question="All tokens without an application stop working immediately. A program that has your password can get new tokens. If you do not recognize the program, change your password too."
      {...(props.size === undefined ? {} : { size: props.size })}
    >
      <form action={props.revoke}>
        <Button kind="danger">Revoke all</Button>
      </form>
    </Confirm>
  );
}
