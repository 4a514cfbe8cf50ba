import type { ReactNode } from "react";
import type { User } from "@/access/principal";
import { administratorWarning } from "@/identity/sign-in/components/signed-in-as";
import { describeUserAgent } from "@/kernel/http/user-agent";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import { ApplicationMark } from "../../applications/components/application-mark";
import { ownerPathOf } from "../../applications/owner";
import { UnregisteredNotice } from "../../client-documents/components/unregistered-notice";
import type { UnregisteredDetails } from "../../client-documents/service";
import { ScopeList } from "../../consents/components/scope-list";
import type { PendingDeviceRequest } from "../service";
import { shownUserCode } from "../user-code";

export type DeviceDecision = Readonly<{
  request: PendingDeviceRequest;
  /** The details of an unregistered client; null for a registered application. */
  unregistered: UnregisteredDetails | null;
  /** The path of the logo of the application, if the application has a logo. */
  logo: string | null;
  user: User;
  /** The scopes that the user has already granted to the application. */
  consented: readonly string[];
  csrfToken: string;
  otherAccountAt: string;
  now: Date;
}>;

/**
 * Shows the application, the IP address and the user agent of the device, the signed-in user and the scopes
 * (RFC 8628 §3.3, §5.4).
 */
export function DeviceCard(decision: DeviceDecision) {
  const { request, unregistered, logo, user, csrfToken, otherAccountAt, now } = decision;
  const { application } = request;
  return (
    <DecisionCard
      title="Is this the code on your device?"
      badge={
        <>
          <ApplicationMark application={{ ...application, logo }} />
          <span aria-hidden="true" className="w-10 border-t-2 border-dotted border-line" />
        </>
      }
    >
      <p className="rounded-group border border-line border-dashed bg-ground p-4 text-center">
        <code className="font-mono font-semibold text-display tracking-widest">
          {shownUserCode(request.userCode)}
        </code>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="Application">
          <strong>
            <bdi>{application.name}</bdi>
          </strong>{" "}
          by <bdi className="wrap-anywhere">{ownerPathOf(application)}</bdi>
        </Fact>
        <Fact name="Requested">
          <Ago at={request.createdAt} now={now} />
        </Fact>
        <Fact name="Expires">{stillOpen(request.expiresAt, now)}</Fact>
        <Fact name="From">
          {request.address} <span className="text-muted">· {describeUserAgent(request.userAgent)}</span>
        </Fact>
        <Fact name="Signed in as">
          <strong>
            <bdi>{user.name}</bdi>
          </strong>{" "}
          <span className="text-muted">@{user.username}</span>{" "}
          <a href={otherAccountAt} className="text-small">
            Use another account
          </a>
        </Fact>
      </dl>
      {unregistered ? (
        <UnregisteredNotice {...unregistered} name={application.name} returnsToComputer={false} />
      ) : null}
      <section className="grid gap-2">
        <h2 className="text-small font-semibold text-muted">This application will be able to</h2>
        <ScopeList scopes={request.scopes} consented={decision.consented} />
      </section>
      {user.admin ? <Notice kind="warning">{administratorWarning}</Notice> : null}
      <Notice kind="warning">
        <strong>Did someone send you this link or code?</strong> If so, do not allow access, because the
        sender would be able to use your account.
      </Notice>
      <form method="post" action="/oauth/device/decision" className="grid gap-4">
        <input type="hidden" name="request" value={request.id} />
        <input type="hidden" name="user_code" value={request.userCode} />
        <input type="hidden" name="form_token" value={csrfToken} />
        <div className="grid grid-cols-2 gap-3">
          <Button name="decision" value="deny">
            Deny
          </Button>
          <Button name="decision" value="allow">
            Allow
          </Button>
        </div>
        <button
          type="submit"
          name="decision"
          value="report"
          className="min-h-11 cursor-pointer border-t border-line pt-4 text-small text-accent underline underline-offset-4"
        >
          I did not request access
        </button>
      </form>
    </DecisionCard>
  );
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{props.name}</dt>
      <dd className="break-words">{props.children}</dd>
    </>
  );
}

/** Returns the time until the user code expires, rounded down to minutes. */
function stillOpen(expiresAt: Date, now: Date): string {
  const minutes = Math.floor((expiresAt.getTime() - now.getTime()) / 60_000);
  if (minutes < 1) return "in less than a minute";
  return `in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}
