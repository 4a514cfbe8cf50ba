import type { Deps } from "@/kernel/deps/deps";
import { seeOther } from "@/kernel/http/form-response";
import { DecisionCard } from "@/ui/decision-card";
import { Notice } from "@/ui/notice";
import { linkedAccountsOf } from "../linked-identities/service";
import type { Provider } from "../providers/rules";
import { AUTHENTICATION_MINUTES_MAX } from "../sessions/rules";
import { type Session, sessionCsrfToken, sessionOf } from "../sessions/service";
import {
  confirmPath,
  type RequestedFactor,
  requestedFactorIn,
  STEP_UP_DECLINED,
  signInPath,
} from "../sessions/sign-in-path";
import { type PasskeyRequest, requestOptions } from "../two-factor/passkey";
import { twoFactorOf } from "../two-factor/service";
import { hasPassword } from "../users/profile";
import { CodeForm } from "./components/code-form";
import { PasswordConfirmation } from "./components/password-confirmation";
import { ProviderButtons } from "./components/provider-buttons";
import { DeclineFactor, RequestedFactorText, requestedFactorTitle } from "./components/requested-factor";
import { CONFIRM, confirmPurpose } from "./confirm-form";
import {
  problemText,
  providerProblemText,
  UNKNOWN_PROVIDER,
  WRONG_CODE,
  WRONG_PASSWORD_ALONE,
  WRONG_RECOVERY_CODE,
} from "./rules";
import { signInDocument } from "./sign-in-document";

const TITLE = "Confirm that it is you";

/**
 * `GET /users/confirm`: shows the re-authentication form. A visitor without a session is redirected to the
 * sign-in page. After the sign-in, which also counts as a re-authentication, the visitor is redirected to the
 * return path.
 */
export const showConfirm = signInDocument(async ({ deps, cookie, query, returnTo }) => {
  const session = await sessionOf(deps, cookie);
  if (session === null) return seeOther(deps, signInPath({ returnTo }));
  const { csrfToken, factor } = await confirmationOf(deps, session);
  const ways = factor === null ? await waysWithoutFactor(deps, session) : { password: false, providers: [] };
  const label = ways.providers.find(({ name }) => name === query("provider"))?.label ?? UNKNOWN_PROVIDER;
  const { username } = session.user;
  const requested = attainable(requestedFactorIn(query), factor);
  const declineToken = sessionCsrfToken(deps, session, STEP_UP_DECLINED);
  const client = requested === null ? null : await deps.hooks.returnClient(deps, returnTo);
  const title = requested === null ? TITLE : requestedFactorTitle(requested);
  const recovery = query("way") === "recovery";
  const form = { returnTo, repeat: query("repeat") === "1", csrfToken };
  const problem = (wrong: string) =>
    providerProblemText(query("problem"), label) ?? problemText(query("problem"), query("minutes"), wrong);
  return {
    title,
    body: (
      <DecisionCard title={title}>
        {requested === null ? (
          <p className="-mt-2 text-center wrap-anywhere text-muted">
            {session.isConfirmed ? (
              <>
                You signed in as <bdi>@{username}</bdi> more than {AUTHENTICATION_MINUTES_MAX} minutes ago.
              </>
            ) : (
              <>
                You signed in as <bdi>@{username}</bdi> with another provider, which did not state when you
                authenticated there.
              </>
            )}{" "}
            To continue, confirm that it is you.
          </p>
        ) : (
          <RequestedFactorText requested={requested} client={client?.name ?? null} username={username} />
        )}
        {factor === null ? (
          <>
            {ways.password ? (
              <PasswordConfirmation {...form} username={username} problem={problem(WRONG_PASSWORD_ALONE)} />
            ) : (
              <Problem text={problem(WRONG_PASSWORD_ALONE)} />
            )}
            <ProviderButtons
              providers={ways.providers}
              verb="Confirm with"
              fields={{
                intent: "confirm",
                form_token: csrfToken,
                return_to: returnTo,
                ...(form.repeat ? { repeat: "1" } : {}),
              }}
            />
            {ways.password || ways.providers.length > 0 ? null : (
              <p className="text-center text-muted">
                Your account has no password. To continue,{" "}
                <a href={signInPath({ returnTo, again: true })}>sign in again</a>.
              </p>
            )}
          </>
        ) : (
          <CodeForm
            {...form}
            {...factor}
            intent="confirm"
            requested={requested}
            recovery={recovery}
            problem={problem(recovery ? WRONG_RECOVERY_CODE : WRONG_CODE)}
            otherWayAt={confirmPath({ returnTo, recovery: !recovery, repeat: form.repeat, requested })}
          />
        )}
        {requested === null || client === null ? null : (
          <DeclineFactor
            requested={requested}
            declineAt={`${returnTo}&${STEP_UP_DECLINED}=${declineToken}`}
          />
        )}
      </DecisionCard>
    ),
  };
});

const Problem = ({ text }: { readonly text: string | null }) =>
  text === null ? null : <Notice kind="problem">{text}</Notice>;

/**
 * Returns the factor that the client requests. If the user has not set up the requested factor, the result is
 * null, and the page re-authenticates the user by another method.
 */
function attainable(
  requested: RequestedFactor | null,
  factor: Confirmation["factor"],
): RequestedFactor | null {
  if (factor === null || (requested?.factor === "passkey" && factor.passkey === null)) return null;
  return requested;
}

/**
 * Returns the methods with which a user without a second factor re-authenticates: the password, and the
 * providers of linked accounts.
 */
async function waysWithoutFactor(
  deps: Deps,
  { user }: Session,
): Promise<Readonly<{ password: boolean; providers: readonly Provider[] }>> {
  const accounts = await linkedAccountsOf(deps, user.id);
  return {
    password: await hasPassword(deps, user),
    providers: accounts.flatMap(({ usable }) => usable ?? []),
  };
}

/** The methods with which a user re-authenticates. */
type Confirmation = Readonly<{
  csrfToken: string;
  /** The second factors of the user; null for a user who re-authenticates by password. */
  factor: Readonly<{ totp: boolean; passkey: PasskeyRequest | null }> | null;
}>;

/** Returns the CSRF token of the re-authentication form, and the second factors with their passkey challenge. */
export async function confirmationOf(deps: Deps, session: Session): Promise<Confirmation> {
  const { user } = session;
  const csrfToken = sessionCsrfToken(deps, session, CONFIRM);
  if (!user.twoFactor) return { csrfToken, factor: null };
  const { totp, passkeys } = await twoFactorOf(deps, user);
  const passkey = passkeys.length === 0 ? null : await requestOptions(deps, confirmPurpose(session), user);
  return { csrfToken, factor: { totp, passkey } };
}
