import type { User } from "@/access/principal";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Browser } from "@/kernel/http/form-response";
import type { Provider } from "../providers/rules";
import { enforcedProvider, enforcedProviderOf } from "../providers/service";
import type { AuthenticationMethods } from "../sessions/authentication-methods";
import { type OpenedSession, openSessionFor } from "../sessions/service";
import { reactivate } from "../users/account-states";
import { mustConfirmFirst, type ResentLink, resendConfirmationLink } from "../users/email-confirmation";
import { type KnownDevice, type PasswordOutcome, tryPassword } from "../users/password-attempt";
import { withCheckedPassword } from "../users/service";
import { keepAccountCookie } from "./keep-account-page";
import { pendingCookie } from "./pending-sign-in";

/**
 * The `Set-Cookie` line with the cookie that allows a user to cancel the requested deletion of the account.
 */
type Leaving = Readonly<{ leavingCookie: string }>;

/**
 * Creates a session for a user who has entered all required factors, in the transaction of `deps`. A
 * deactivated user becomes active. A user who has requested the deletion of the account gets no session, but
 * can keep the account on a separate page.
 * @param authenticatedAt the time of the authentication, if it is earlier than now.
 */
export async function admit(
  deps: Deps,
  user: User,
  browser: Browser,
  methods: AuthenticationMethods,
  authenticatedAt: Date | null = null,
): Promise<OpenedSession | Leaving> {
  if (await reactivate(deps, user)) return openSessionFor(deps, user, browser, methods, authenticatedAt);
  return { leavingCookie: await keepAccountCookie(deps, user, methods) };
}

/** The entered username or e-mail address, and the password. */
export type Credentials = Readonly<{ login: string; password: string }>;

/**
 * Signs in a user without a second factor, always with a new session to prevent session fixation. A user with
 * a second factor gets an encrypted record of the password check instead of a session.
 * @param devices the users who have signed in with this browser before, from the device cookie.
 * @returns the session, the `Set-Cookie` line of the encrypted record, or the refusal.
 * @throws PasswordsBusy when too many passwords are being checked simultaneously.
 */
export async function signIn(
  deps: Deps,
  credentials: Credentials,
  browser: Browser,
  devices: readonly KnownDevice[] = [],
): Promise<
  | OpenedSession
  | Leaving
  | { readonly pendingCookie: string }
  | { readonly refused: "unconfirmed"; readonly link: ResentLink }
  /** The user must sign in with this provider. */
  | { readonly refused: "enforced"; readonly provider: Provider }
  | Extract<PasswordOutcome, { readonly refused: unknown }>
> {
  const settings = await readSettings(deps);
  const { ipAddress } = browser;
  const outcome = await tryPassword(deps, settings, { ...credentials, ipAddress, devices, way: "sign_in" });
  const enforced = await enforcedFor(deps, credentials.login, outcome);
  if (enforced !== null) return { refused: "enforced", provider: enforced };
  if ("refused" in outcome) return outcome;
  if (mustConfirmFirst(deps, settings, outcome.user))
    return { refused: "unconfirmed", link: await resendConfirmationLink(deps, outcome.user) };
  if (outcome.user.twoFactor) return { pendingCookie: pendingCookie(deps, outcome, "password") };
  const opened = await withCheckedPassword(deps, outcome, (within) =>
    admit(within, outcome.user, browser, ["password"]),
  );
  return opened ?? { refused: "wrong" };
}

/**
 * Returns the provider with which the user must sign in; null if the user can choose a sign-in method. For an
 * e-mail address with an enforced domain, the result is the provider of the domain. The result does not
 * reveal whether the password is correct or whether the user exists, unless the user is an administrator.
 */
async function enforcedFor(deps: Deps, login: string, outcome: PasswordOutcome): Promise<Provider | null> {
  if (!("refused" in outcome)) return enforcedProviderOf(deps, outcome.user);
  return outcome.refused === "wrong" && login.includes("@") ? enforcedProvider(deps, login) : null;
}
