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
import { RequestId } from "@/ui/failure-page";
import { type Message, messagePage, staticPage } from "@/ui/static-page";

const PROBLEMS: Readonly<Record<PageProblem | "malformed" | "forged" | "unavailable" | "failed", Message>> = {
  client_missing: {
    title: "This link is incomplete",
    text: "The parameter client_id, which identifies the application, is missing. Go back to the application and start again.",
  },
  client_unknown: {
    title: "This application is not registered",
    text: "No application with this ID is registered here. Contact the developer of the application.",
  },
  client_blocked: {
    title: "This application is blocked",
    text: "An administrator of this server blocked this application, so it cannot be authorized. If you need the application, contact an administrator.",
  },
  client_document: {
    title: "This application cannot be identified",
    text: "The application is not registered here, and its client ID is the URL of a metadata document. This server could not read the metadata document, or the metadata document does not match its URL. Try again in a minute, or contact the developer of the application.",
  },
  redirect_uri_missing: {
    title: "This link is incomplete",
    text: "The parameter redirect_uri, the URI of the application to which you return, is missing. Go back to the application and start again.",
  },
  redirect_uri_unknown: {
    title: "The redirect URI is not registered",
    text: "The application requested a redirect URI that its owner has not registered. Nothing was sent to that URI.",
  },
  redirect_uri_insecure: {
    title: "The redirect URI is not secure",
    text: "The application requested a redirect URI that uses http, without encryption. Nothing was sent to that URI. Contact the developer of the application.",
  },
  too_long: {
    title: "This link is too long",
    text: "The authorization request of the application is too long for a link. Contact the developer of the application: a pushed authorization request (RFC 9126) can contain more data.",
  },
  request_uri_unknown: {
    title: "This link has expired",
    text: "The authorization request of the application is no longer available. Go back to the application and start again.",
  },
  repeated: {
    title: "This link is not valid",
    text: "The link contains client_id or redirect_uri more than once. Go back to the application and start again.",
  },
  malformed: {
    title: "This link is not valid",
    text: "Part of the link has an invalid encoding. Go back to the application and start again.",
  },
  unavailable: {
    title: "This service is not available",
    text: "Nothing was changed and nothing was sent. Try again in a moment.",
  },
  failed: {
    title: "An unexpected error occurred",
    text: "Nothing was sent to the application. The error was logged. Try again, or contact an administrator of this server.",
  },
  forged: {
    title: "This form is not valid",
    text: "The form was not sent from a page of this server, or you have signed in again since you opened the page. Nothing was changed.",
  },
};

/**
 * Returns an error page. The error page never redirects, because the redirect URI is not verified (RFC 6749
 * §4.1.2.1).
 */
export function problemPage(
  problem: keyof typeof PROBLEMS,
  about: Readonly<{
    status?: number;
    tryAgainAt?: string;
    /** The request ID, with which an operator finds the request in the log. */
    requestId?: string | null;
    owned?: Mismatch;
    /** The application whose redirect URI uses http; set only for the signed-in owner of the application. */
    insecure?: Application;
  }> = {},
): Promise<Response> {
  return messagePage(
    about.status ?? 400,
    PROBLEMS[problem],
    <>
      {about.owned ? <OwnerHint {...about.owned} /> : null}
      {about.insecure ? <HttpsHint {...about.insecure} /> : null}
      {about.requestId ? <RequestId id={about.requestId} /> : null}
      {about.tryAgainAt ? (
        <ButtonLink kind="primary" href={about.tryAgainAt}>
          Review the request again
        </ButtonLink>
      ) : null}
    </>,
    { formLeaves: about.owned?.addable ?? false },
  );
}

/**
 * Explains to the owner of the application why a registered redirect URI is rejected, and how to correct the
 * redirect URI.
 */
function HttpsHint({ id, name }: Application) {
  return (
    <section className="grid gap-4 rounded-group border border-line p-4 text-small">
      <p>
        You own <bdi className="font-semibold wrap-anywhere">{name}</bdi>. The redirect URI of the application
        uses http and was registered while the URL of this server used http. The server now uses https and
        sends authorization codes only to https URIs, or to http URIs on 127.0.0.1, [::1] or localhost.
      </p>
      <p>Register an https redirect URI for your application and use it in the authorization request.</p>
      <a href={`/user_settings/applications/${id}/edit`}>Change the redirect URIs</a>
    </section>
  );
}

/**
 * An unregistered redirect URI, with the data that the signed-in owner of the application needs to register
 * the URI.
 */
export type Mismatch = Readonly<{
  application: Application;
  requested: string;
  /** Whether the URI can be registered. */
  addable: boolean;
  /** The parameters of the authorization request, which continues after the URI is added. */
  parameters: readonly (readonly [string, string])[];
  csrfToken: string;
}>;

/**
 * Shows the owner of the application how the requested redirect URI differs from the closest registered URI,
 * with a form that adds the requested URI.
 */
function OwnerHint({ application, requested, addable, parameters, csrfToken }: Mismatch) {
  const difference = nearestDifference(requested, application.redirectUris);
  return (
    <section className="grid gap-4 rounded-group border border-line p-4 text-small">
      <p>
        You own <bdi className="font-semibold wrap-anywhere">{application.name}</bdi>. The differences are
        marked.
      </p>
      {difference === null ? null : <Marked {...difference} />}
      {addable ? (
        <form method="post" action="/oauth/authorize/redirect_uri" className="grid gap-2">
          {parameters.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="form_token" value={csrfToken} />
          <p className="text-muted">
            Add this URI only if you recognize the URI: authorization codes are sent to this URI.
          </p>
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
        <dt className="text-muted">Requested</dt>
        <dd>
          <Uri stretches={requested} />
        </dd>
      </div>
      <div className="grid gap-1">
        <dt className="text-muted">Closest registered URI</dt>
        <dd>
          <Uri stretches={registered} />
        </dd>
      </div>
    </dl>
  );
}

/**
 * Shows a URI, and marks its differences from another URI. Hidden words for screen readers enclose each
 * marked part. The hidden words are not copied with the URI.
 */
const Uri = ({ stretches }: { readonly stretches: readonly Stretch[] }) => (
  <code className="block break-all" dir="ltr">
    {stretches.map(({ text, differs }, at) =>
      differs ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are rendered once and never reordered.
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

/**
 * Returns the page for `urn:ietf:wg:oauth:2.0:oob`, from which the user copies the authorization code. No URL
 * contains the authorization code.
 */
export const codePage = (application: Application, user: User, code: string): Promise<Response> =>
  staticPage(
    200,
    "Your code",
    <DecisionCard title={`Copy this code to ${application.name}`}>
      <code
        id="authorization_code"
        className="rounded-group border border-line bg-ground p-4 text-center break-all"
      >
        {code}
      </code>
      <p className="text-center text-small text-muted">
        You are signed in as {user.username}. The code can be used once and expires in 10 minutes. Do not
        enter the code anywhere else.
      </p>
    </DecisionCard>,
  );

/** Returns the page for `urn:ietf:wg:oauth:2.0:oob` that shows an error instead of an authorization code. */
export const outOfBandErrorPage = (description: string): Promise<Response> =>
  messagePage(400, { title: "Access was not granted", text: description });
