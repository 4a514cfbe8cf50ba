import { SCOPES, type Scope } from "@/access/scopes";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { EmptyState } from "@/ui/empty-state";
import { isolated } from "@/ui/isolated";
import { Pager } from "@/ui/pager";
import { Ago } from "@/ui/time";
import type { GrantSummary } from "../../tokens/live-grants";
import type { AuthorizedApplication } from "../authorized-application";
import type { AuthorizedApplicationsPage } from "../loaders";
import { GrantList } from "./grant-list";

const HOME = "/user_settings/authorized_applications";

type Actions = Readonly<{
  revokeGrant: (form: FormData) => Promise<void>;
  revokeApplication: (form: FormData) => Promise<void>;
  revokeUnnamed: () => Promise<void>;
}>;

/** Shows the authorized applications of a user, with one card for each application and its devices. */
export function AuthorizedApplicationList({
  page,
  ...actions
}: Actions & { readonly page: AuthorizedApplicationsPage }) {
  const { applications, unnamed, now } = page;
  if (applications.length === 0 && (unnamed === null || unnamed.count === 0))
    return (
      <EmptyState title="No application can use your account">
        Applications and devices that you allow to use your account are listed here. You can revoke their
        access at any time.
      </EmptyState>
    );
  return (
    <>
      {applications.map((application) => (
        <ApplicationCard key={application.id} application={application} now={now} {...actions} />
      ))}
      {unnamed === null || unnamed.count === 0 ? null : (
        <UnnamedCard summary={unnamed} now={now} {...actions} />
      )}
      <Pager newer={page.newer} older={page.older} />
    </>
  );
}

function ApplicationCard(
  props: Actions & { readonly application: AuthorizedApplication; readonly now: Date },
) {
  const { application, now } = props;
  const { id, name, owner, allowedAt, scopes, count, grants } = application;
  return (
    <section
      aria-labelledby={`application-${id}`}
      className="grid gap-4 rounded-card border border-line bg-panel p-4 sm:p-6"
    >
      <div className="flex flex-wrap items-start gap-3">
        <Avatar name={name} kind="application" size="large" />
        <div className="grid min-w-32 flex-1">
          <h2 id={`application-${id}`} className="font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          <p className="text-small wrap-anywhere text-muted">
            by <bdi>{owner.username}</bdi>
            {allowedAt === null ? null : (
              <>
                {" · "}allowed <Ago at={allowedAt} now={now} />
              </>
            )}
          </p>
        </div>
        <RevokeApplication application={application} revoke={props.revokeApplication} size="small" />
      </div>
      <ScopeSentences scopes={scopes} />
      {count === 0 ? (
        <p className="text-small text-muted">This application has no active token.</p>
      ) : (
        <GrantList grants={grants} now={now} revoke={props.revokeGrant} />
      )}
      {count > grants.length ? <a href={`${HOME}/${id}`}>View all {count} tokens</a> : null}
    </section>
  );
}

/** Shows a button that revokes all access of an application after a confirmation. */
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

function UnnamedCard(props: Actions & { readonly summary: GrantSummary; readonly now: Date }) {
  const { count, newest, scopes } = props.summary;
  return (
    <section
      aria-labelledby="application-none"
      className="grid gap-4 rounded-card border border-line bg-panel p-4 sm:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-32 flex-1">
          <h2 id="application-none" className="font-semibold">
            Tokens without an application
          </h2>
          <p className="text-small text-muted">
            Tokens of programs that are not registered as applications and that signed in with your username
            and password.
          </p>
        </div>
        <RevokeUnnamed revoke={props.revokeUnnamed} size="small" />
      </div>
      <ScopeSentences scopes={scopes} />
      <GrantList grants={newest} now={props.now} revoke={props.revokeGrant} />
      {count > newest.length ? <a href={`${HOME}/none`}>View all {count} tokens</a> : null}
    </section>
  );
}

export function RevokeUnnamed(props: { readonly revoke: () => Promise<void>; readonly size?: "small" }) {
  return (
    <Confirm
      id="revoke-application-none"
      summary="Revoke all"
      title="Revoke all tokens without an application?"
      question="These tokens stop working immediately. A program that has your password can get new tokens. If you do not recognize the program, change your password too."
      {...(props.size === undefined ? {} : { size: props.size })}
    >
      <form action={props.revoke}>
        <Button kind="danger">Revoke all</Button>
      </form>
    </Confirm>
  );
}
