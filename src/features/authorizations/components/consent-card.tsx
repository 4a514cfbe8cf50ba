import { SCOPES, type ScopeRisk } from "@/access/scopes";
import { Initials } from "@/ui/badge";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import type { Consent } from "../loaders";

/** How far a scope reaches, as a circle that fills. */
const RISK_MARKS: Readonly<Record<ScopeRisk, string>> = { sign_in: "○", read: "◔", write: "◑", full: "●" };

/** Who is asking, as whom I am here, and what happens if I press this. */
export function ConsentCard(consent: Consent) {
  const { application, user, scopes, target, parameters, formToken, now } = consent;
  return (
    <DecisionCard
      title={`${application.name} wants to use your account`}
      badge={
        <>
          <Initials name={application.name} tone="strong" />
          <span aria-hidden="true" className="w-10 border-t-2 border-dotted border-line" />
        </>
      }
    >
      <p className="-mt-4 text-center text-small text-muted">
        by <strong>{application.owner.username}</strong> · registered{" "}
        <Ago at={application.createdAt} now={now} />
      </p>
      <div className="flex items-center gap-3 rounded-group border border-line px-3 py-2">
        <Initials name={user.name} />
        <p className="min-w-0 flex-1 break-words">
          <strong>{user.name}</strong> <span className="text-muted">@{user.username}</span>
        </p>
        <a href={consent.otherAccountAt} className="text-small">
          Use another account
        </a>
      </div>
      {user.admin ? (
        <Notice kind="warning">
          <strong>You are an administrator.</strong> What you allow here reaches everything you can reach.
        </Notice>
      ) : null}
      <section className="grid gap-2">
        <h2 className="text-small font-semibold text-muted">It will be able to</h2>
        <ul className="divide-y divide-line rounded-group border border-line">
          {scopes.map((scope) => (
            <li key={scope} className="flex gap-4 px-4 py-3">
              <span aria-hidden="true">{RISK_MARKS[SCOPES[scope].risk]}</span>
              <div>
                <p className="font-semibold">{SCOPES[scope].label}</p>
                <p className="text-small text-muted">{SCOPES[scope].detail}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
      <form method="post" action="/oauth/authorize" className="grid grid-cols-2 gap-3">
        {parameters.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="form_token" value={formToken} />
        <Button name="decision" value="deny">
          Deny
        </Button>
        <Button name="decision" value="allow" kind="primary">
          Allow
        </Button>
      </form>
      <p className="border-t border-line pt-4 text-small text-muted">
        <Return {...target} name={target.name} />
      </p>
    </DecisionCard>
  );
}

function Return({ kind, name }: Consent["target"]) {
  if (kind === "page") return "You will get a code to type into the application.";
  if (kind === "computer") return "You will return to a program on this computer.";
  return (
    <>
      You will return to <strong className="break-all">{name}</strong>
      {kind === "app" ? " (an application on this device)" : ""}.
    </>
  );
}
