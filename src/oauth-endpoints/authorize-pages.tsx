import type { User } from "@/access/principal";
import {
  type Difference,
  nearestDifference,
  type Stretch,
} from "@/oauth/applications/redirect-uri-difference";
import type { Application } from "@/oauth/applications/rules";
import type { PageProblem } from "@/oauth/authorizations/rules";
import { Button, ButtonLink } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { type Message, messagePage, staticPage } from "./static-page";

const PROBLEMS: Readonly<
  Record<
    | PageProblem
    | "malformed"
    | "forged"
    | "unavailable"
    | "failed"
    | "page_unavailable"
    | "page_failed"
    | "page_malformed",
    Message
  >
> = {
  client_missing: {
    title: "This link is incomplete",
    text: "It does not say which application it is for (client_id). Go back to the application and start again.",
  },
  client_unknown: {
    title: "This application is not registered",
    text: "No application with this ID is registered here. Go back to it and tell the people who run it.",
  },
  client_blocked: {
    title: "This application is blocked",
    text: "An administrator of this server has blocked it, so nothing can be allowed. If you need it, ask them.",
  },
  redirect_uri_missing: {
    title: "This link is incomplete",
    text: "It does not say where to return to (redirect_uri). Go back to the application and start again.",
  },
  redirect_uri_unknown: {
    title: "The return address is not registered",
    text: "The application asked to be answered at an address that its owner has not registered, so nothing was sent there.",
  },
  redirect_uri_insecure: {
    title: "The return address is not secure",
    text: "The application asked to be answered over http, without encryption, so nothing was sent there. Tell the people who run it.",
  },
  repeated: {
    title: "This link is not valid",
    text: "It names the application or the return address more than once. Go back to the application and start again.",
  },
  malformed: {
    title: "This link is not valid",
    text: "Part of it could not be read. Go back to the application and start again.",
  },
  unavailable: {
    title: "This service is not available",
    text: "Nothing was decided and nothing was sent. Try again in a moment.",
  },
  failed: {
    title: "Something went wrong here",
    text: "Nothing was decided and nothing was sent. It has been noted. Try again, or tell the people who run this server.",
  },
  page_unavailable: {
    title: "The database does not answer",
    text: "This page cannot be shown at the moment. Nothing was changed. Reload the page in a few seconds.",
  },
  page_malformed: {
    title: "This form could not be read",
    text: "The request does not contain a valid form, so nothing was changed. Go back, reload the page and try again.",
  },
  page_failed: {
    title: "This page could not be made",
    text: "An unexpected error occurred on the server, and it has been logged. Try again. If the error stays, report it to an administrator.",
  },
  forged: {
    title: "Nothing was decided",
    text: "This answer did not come from the page that was shown to you, or you have signed in differently since.",
  },
};

/** An error page that never redirects: nothing is sent to an address that is not proven (RFC 6749 §4.1.2.1). */
export function problemPage(
  problem: keyof typeof PROBLEMS,
  about: Readonly<{
    status?: number;
    tryAgainAt?: string;
    /** By which an operator finds the request in the log. */
    requestId?: string | null;
    owned?: Mismatch;
    /** The application, for its signed-in owner, whose redirect URI uses http. */
    insecure?: Application;
  }> = {},
): Promise<Response> {
  return messagePage(
    about.status ?? 400,
    PROBLEMS[problem],
    <>
      {about.owned ? <OwnerHint {...about.owned} /> : null}
      {about.insecure ? <HttpsHint {...about.insecure} /> : null}
      {about.requestId ? (
        <p className="text-center text-muted text-small">
          If you report this, add the number of the request:{" "}
          <code className="break-all">{about.requestId}</code>
        </p>
      ) : null}
      {about.tryAgainAt ? (
        <ButtonLink kind="primary" href={about.tryAgainAt}>
          Look at the request again
        </ButtonLink>
      ) : null}
    </>,
    { formTarget: about.owned?.addable ? about.owned.requested : null },
  );
}

/** Why a registered redirect URI is refused, and what its owner does about it. */
function HttpsHint({ id, name }: Application) {
  return (
    <section className="grid gap-4 rounded-group border border-line p-4 text-small">
      <p>
        You own <bdi className="font-semibold wrap-anywhere">{name}</bdi>. Its redirect URI uses http and was
        registered while this server was served over http. The server is served over https now and sends codes
        to https addresses only, or to http on 127.0.0.1, [::1] or localhost.
      </p>
      <p>Register the https address of your application, then use it in the authorization request.</p>
      <a href={`/user_settings/applications/${id}/edit`}>Change the redirect URIs</a>
    </section>
  );
}

/** A redirect URI that is not registered, as the signed-in owner of the application sees it. */
export type Mismatch = Readonly<{
  application: Application;
  requested: string;
  /** Whether the URI can be registered. */
  addable: boolean;
  /** The request, to be continued once the URI is added. */
  parameters: readonly (readonly [string, string])[];
  csrfToken: string;
}>;

/** Only the signed-in owner sees what differs, and can add what was asked for. */
function OwnerHint({ application, requested, addable, parameters, csrfToken }: Mismatch) {
  const difference = nearestDifference(requested, application.redirectUris);
  return (
    <section className="grid gap-4 rounded-group border border-line p-4 text-small">
      <p>
        You own <bdi className="font-semibold wrap-anywhere">{application.name}</bdi>. What differs is marked.
      </p>
      {difference === null ? null : <Marked {...difference} />}
      {addable ? (
        <form method="post" action="/oauth/authorize/redirect_uri" className="grid gap-2">
          {parameters.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="form_token" value={csrfToken} />
          <p className="text-muted">Add it only if you know this address: codes are sent there.</p>
          <Button kind="primary">Add this URI</Button>
        </form>
      ) : null}
      <a href={`/user_settings/applications/${application.id}/edit`}>Change the redirect URIs</a>
    </section>
  );
}

function Marked({ requested, registered }: Difference) {
  return (
    <dl className="grid gap-3">
      <div className="grid gap-1">
        <dt className="text-muted">It asked for</dt>
        <dd>
          <Uri stretches={requested} />
        </dd>
      </div>
      <div className="grid gap-1">
        <dt className="text-muted">The nearest that is registered</dt>
        <dd>
          <Uri stretches={registered} />
        </dd>
      </div>
    </dl>
  );
}

/** The words around a mark are for those who cannot see it; they are not copied with the URI. */
const Uri = ({ stretches }: { readonly stretches: readonly Stretch[] }) => (
  <code className="block break-all" dir="ltr">
    {stretches.map(({ text, differs }, at) =>
      differs ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered.
        <mark key={at} className="rounded-xs bg-warning font-semibold text-on-warning underline">
          <span className="sr-only select-none"> differs: </span>
          {text}
          <span className="sr-only select-none"> end </span>
        </mark>
      ) : (
        text
      ),
    )}
  </code>
);

/** For `urn:ietf:wg:oauth:2.0:oob`: the code, to be carried over by hand; it is in no URL. */
export const codePage = (application: Application, user: User, code: string): Promise<Response> =>
  staticPage(
    200,
    "Your code",
    <DecisionCard title={`Give this code to ${application.name}`}>
      <code
        id="authorization_code"
        className="rounded-group border border-line bg-ground p-4 text-center break-all"
      >
        {code}
      </code>
      <p className="text-center text-small text-muted">
        You are signed in as {user.username}. The code works once and for ten minutes. Give it to nothing
        else.
      </p>
    </DecisionCard>,
  );

/** For `urn:ietf:wg:oauth:2.0:oob`, when there is an error to tell instead of a code. */
export const outOfBandErrorPage = (description: string): Promise<Response> =>
  messagePage(400, { title: "Nothing was allowed", text: description });
