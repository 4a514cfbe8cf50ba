import { administratorWarning, SignedInAs } from "@/identity/sign-in/components/signed-in-as";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import { ApplicationMark } from "../../applications/components/application-mark";
import { UnregisteredNotice } from "../../client-documents/components/unregistered-notice";
import { ScopeList } from "../../consents/components/scope-list";
import type { Consent } from "../consent";
import { USERS_COUNTED_MAX } from "../rules";

/**
 * Shows the application, the signed-in user, the scopes and the redirect target. The buttons stay at the bottom
 * of the window when the list of scopes is longer than the window.
 */
export function ConsentCard(consent: Consent) {
  const { application, user, scopes, target, parameters, csrfToken, formId } = consent;
  return (
    <DecisionCard
      dense
      title={
        <>
          <bdi>{application.name}</bdi> wants to use your account
        </>
      }
      badge={
        <>
          <ApplicationMark application={application} size="normal" />
          <span aria-hidden="true" className="w-10 border-t-2 border-dotted border-line" />
        </>
      }
    >
      <Origin {...consent} />
      <SignedInAs user={user} otherAccountAt={consent.otherAccountAt} />
      {user.admin ? (
        <Notice kind="warning">
          <p className="text-small leading-snug">{administratorWarning}</p>
        </Notice>
      ) : null}
      <section className="grid gap-1">
        <h2 className="text-small font-semibold text-muted">This application will be able to</h2>
        <ScopeList scopes={scopes} consented={consent.consented} />
        {consent.resourceServer === null ? null : (
          <p className="text-small wrap-anywhere">
            The access is only for <strong>{consent.resourceServer.name}</strong> (
            <code className="break-all">{consent.resourceServer.uri}</code>), which receives your username and
            these permissions.
          </p>
        )}
      </section>
      <form
        method="post"
        action="/oauth/authorize"
        className="sticky bottom-0 -mx-4 grid grid-cols-2 gap-x-3 gap-y-2 border-line border-t bg-panel px-4 py-2 sm:-mx-6 sm:px-6"
      >
        <p className="col-span-2 text-muted text-small">
          <Return {...target} name={target.name} />
        </p>
        {parameters.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="form_token" value={csrfToken} />
        <input type="hidden" name="form_id" value={formId} />
        <Button name="decision" value="deny">
          Deny
        </Button>
        <Button name="decision" value="allow" kind="primary">
          Allow
        </Button>
      </form>
      <p className="text-muted text-small">
        You can revoke the access at any time under{" "}
        <a href="/user_settings/authorized_applications">Authorized applications</a>.
      </p>
    </DecisionCard>
  );
}

/** Shows the owner of a registered application, or a warning about an unregistered client. */
function Origin({ application, unregistered, users, target, now }: Consent) {
  const by = unregistered ? (
    <>
      <strong>not registered here</strong> · first seen
    </>
  ) : (
    <>
      by <strong>{application.owner.path}</strong> · registered
    </>
  );
  return (
    <>
      <p className="-mt-2 text-center text-small text-muted wrap-anywhere">
        {by} <Ago at={application.createdAt} now={now} /> · {usedBy(users)}
      </p>
      {unregistered ? (
        <UnregisteredNotice
          {...unregistered}
          name={application.name}
          returnsToComputer={target.kind === "computer"}
        />
      ) : null}
    </>
  );
}

function usedBy(users: number): string {
  if (users === 0) return "not used yet";
  if (users === 1) return "used by one person";
  const number = (count: number) => count.toLocaleString("en");
  return users > USERS_COUNTED_MAX
    ? `used by more than ${number(USERS_COUNTED_MAX)} people`
    : `used by ${number(users)} people`;
}

function Return({ kind, name }: Consent["target"]) {
  if (kind === "page") return "You will receive a code to enter in the application.";
  if (kind === "computer") return "You will return to a program on this computer.";
  return (
    <>
      You will return to <strong className="break-all">{name}</strong>
      {kind === "app" ? " (an application on this device)" : ""}.
    </>
  );
}
