import type { ReactNode } from "react";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue } from "@/kernel/http/cookie";
import { seeOther } from "@/kernel/http/form-response";
import { Avatar } from "@/ui/avatar";
import { DecisionCard } from "@/ui/decision-card";
import { Notice } from "@/ui/notice";
import { enabledProviders } from "../providers/service";
import { sessionOf } from "../sessions/service";
import { requestOptions } from "../two-factor/passkey";
import { signUpIsOpen } from "../users/sign-up";
import { ProviderButtons } from "./components/provider-buttons";
import { SignIn } from "./components/sign-in";
import { INITIAL_PASSWORD, type RootPasswordPlace, rootPasswordPlace } from "./first-sign-in";
import { problemText, providerProblemText, UNKNOWN_PROVIDER, WRONG_PASSWORD } from "./rules";
import { PASSKEY_SIGN_IN } from "./session-form";
import { signInDocument } from "./sign-in-document";

/** The maximum length of a suggested login name. */
const LOGIN_CHARACTERS_MAX = 254;

/** The messages about a change that the previous page has completed, by the query parameter `done`. */
const DONE: ReadonlyMap<string | undefined, string> = new Map([
  ["password_changed", "Your password is changed. Sign in with the new password."],
  [
    "deletion_requested",
    "Your account will be deleted in 7 days, and you are signed out. To keep the account, sign in before the deletion.",
  ],
  [
    "waits_for_approval",
    "Your account is created. An administrator must approve the account before you can sign in. You get an e-mail after the decision.",
  ],
]);

/** `GET /users/sign_in`: shows the sign-in form; redirects a signed-in user, unless the query contains `again`. */
export const showSignIn = signInDocument(async ({ deps, cookie, query, returnTo }) => {
  const again = query("again") !== undefined;
  if (!again && (await sessionOf(deps, cookie)) !== null) return seeOther(deps, returnTo);
  const recent = query("recent") !== undefined;
  const client = await deps.hooks.returnClient(deps, returnTo);
  const providers = await enabledProviders(deps);
  const label = providers.find(({ name }) => name === query("provider"))?.label ?? UNKNOWN_PROVIDER;
  return {
    title: "Sign in",
    body: (
      <DecisionCard
        title="Sign in to Gatehouse"
        badge={
          client === null ? null : (
            <>
              <Avatar name={client.name} kind="application" picture={client.logo} size="large" />
              <span aria-hidden="true" className="w-10 border-t-2 border-dotted border-line" />
            </>
          )
        }
      >
        {client === null ? null : (
          <p className="-mt-4 text-center text-muted">
            {recent ? "again " : ""}to continue to{" "}
            <strong className="text-ink wrap-anywhere">
              <bdi>{client.name}</bdi>
            </strong>
          </p>
        )}
        <FirstSignIn place={await rootPasswordPlace(deps)} />
        <SignIn
          returnTo={returnTo}
          again={again}
          recent={recent}
          login={refusedLogin(deps, cookie) || (query("login_hint") ?? "").slice(0, LOGIN_CHARACTERS_MAX)}
          problem={
            providerProblemText(query("problem"), label) ??
            problemText(query("problem"), query("minutes"), WRONG_PASSWORD)
          }
          done={DONE.get(query("done") ?? undefined) ?? null}
          passkey={await requestOptions(deps, PASSKEY_SIGN_IN, null)}
          providers={
            <ProviderButtons
              providers={providers}
              verb="Sign in with"
              fields={{ return_to: returnTo, ...(recent ? { recent: "1" } : {}) }}
            />
          }
          signUpOpen={await signUpIsOpen(deps)}
        />
      </DecisionCard>
    ),
  };
});

const PLACES: Readonly<Record<RootPasswordPlace, ReactNode>> = {
  variable: (
    <>
      in the environment variable <code>GATEHOUSE_ROOT_PASSWORD</code> of the server
    </>
  ),
  file: (
    <>
      in the file <code>{INITIAL_PASSWORD}</code> in the data directory of the server
    </>
  ),
  output: "in the output of the first start of the server",
};

/** Shows the operator of a new instance where to find the password of the administrator `root`. */
const FirstSignIn = ({ place }: { readonly place: RootPasswordPlace | null }) =>
  place === null ? null : (
    <Notice kind="done">
      This server is new. Sign in as <code>root</code>. The password is {PLACES[place]}.
    </Notice>
  );

/** Returns the entered login name of a sign-in form that was just refused, or an empty string. */
function refusedLogin(deps: Deps, cookie: string | null): string {
  try {
    return decodeURIComponent(cookieValue(deps.config, cookie, "login") ?? "");
  } catch {
    return "";
  }
}
