import type { User } from "@/access/principal";
import type { Application } from "@/features/applications/rules";
import type { PageProblem } from "@/features/authorizations/rules";
import { ButtonLink } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { htmlPage } from "./page";

const PROBLEMS: Readonly<
  Record<PageProblem | "malformed" | "forged" | "unavailable", Readonly<{ title: string; text: string }>>
> = {
  client_missing: {
    title: "This link is incomplete",
    text: "It does not say which application it is for (client_id). Go back to the application and start again.",
  },
  client_unknown: {
    title: "This application is not registered",
    text: "No application with this ID is registered here. Go back to it and tell the people who run it.",
  },
  redirect_uri_missing: {
    title: "This link is incomplete",
    text: "It does not say where to return to (redirect_uri). Go back to the application and start again.",
  },
  redirect_uri_unknown: {
    title: "The return address is not registered",
    text: "The application asked to be answered at an address that its owner has not registered, so nothing was sent there.",
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
    owned?: Readonly<{ application: Application; asked: string }>;
  }> = {},
): Promise<Response> {
  const { title, text } = PROBLEMS[problem];
  return htmlPage(
    about.status ?? 400,
    title,
    <DecisionCard title={title}>
      <p className="text-center text-muted">{text}</p>
      {about.owned ? <OwnerHint {...about.owned} /> : null}
      {about.tryAgainAt ? (
        <ButtonLink kind="primary" href={about.tryAgainAt}>
          Look at the request again
        </ButtonLink>
      ) : null}
    </DecisionCard>,
  );
}

/** Only the signed-in owner sees what differs. */
function OwnerHint({ application, asked }: { readonly application: Application; readonly asked: string }) {
  return (
    <section className="grid gap-3 rounded-group border border-line p-4 text-small">
      <p>
        You own <strong>{application.name}</strong>. It asked for
      </p>
      <code className="block break-all">{asked}</code>
      <p>and these are registered:</p>
      <ul className="grid gap-1">
        {application.redirectUris.map((uri) => (
          <li key={uri}>
            <code className="break-all">{uri}</code>
          </li>
        ))}
      </ul>
      <a href={`/user_settings/applications/${application.id}/edit`}>Change the redirect URIs</a>
    </section>
  );
}

/** For `urn:ietf:wg:oauth:2.0:oob`: the code, to be carried over by hand; it is in no URL. */
export const codePage = (application: Application, user: User, code: string): Promise<Response> =>
  htmlPage(
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
  htmlPage(
    400,
    "Nothing was allowed",
    <DecisionCard title="Nothing was allowed">
      <p className="text-center text-muted">{description}</p>
    </DecisionCard>,
  );
