import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { reserve } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import { passwordDigest } from "@/kernel/crypto/password";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { sourceNetwork } from "@/kernel/http/ip-address";
import { enforcedProvider } from "../providers/service";
import { requestApproval } from "./account-states";
import { reserveConfirmationLink, sendConfirmationLink } from "./email-confirmation";
import { instanceNamesOf, newPasswordProblem } from "./new-password";
import { emailProblem, nameProblem, newUsernameProblem } from "./rules";
import * as store from "./store";
import { nameIsTaken } from "./top-level-names";

/** The values of the registration form. */
export type SignUpForm = Readonly<{ username: string; name: string; email: string; password: string }>;

/** The field errors; each text continues a sentence that begins with the name of the field. */
export type SignUpFieldErrors = Readonly<Partial<Record<keyof SignUpForm, string>>>;

export type SignUpOutcome =
  | { readonly user: User }
  | { readonly problems: SignUpFieldErrors }
  | { readonly retryAfterSeconds: number }
  | "closed";

/** Returns whether registration is open. */
export const signUpIsOpen = async (deps: Deps): Promise<boolean> => (await readSettings(deps)).signup_enabled;

/**
 * Creates an account, if registration is open. The e-mail address stays pending until it is confirmed. Before
 * the confirmation, the e-mail address is not compared with the e-mail addresses of other users, so the
 * result reveals nothing about other users. The function reports a username that is in use, because usernames
 * are public. Every valid registration form is counted in the rate limit of registrations.
 * @throws PasswordsBusy when too many passwords are being hashed simultaneously.
 */
export async function signUp(deps: Deps, form: SignUpForm, ipAddress: string): Promise<SignUpOutcome> {
  const settings = await readSettings(deps);
  if (!settings.signup_enabled) return "closed";
  const problems = await problemsOf(deps, form);
  if (Object.keys(problems).length > 0) return { problems };
  const counted = [limitOf(settings, "sign_up_per_address", sourceNetwork(ipAddress))];
  const retryAfterSeconds = await reserve(deps.db, counted, deps.clock());
  if (retryAfterSeconds !== null) return { retryAfterSeconds };
  if (await nameIsTaken(deps, form.username)) return { problems: { username: USERNAME_TAKEN } };
  const linkRetryAfterSeconds = await reserveConfirmationLink(deps, settings, { email: form.email });
  if (linkRetryAfterSeconds !== null) return { retryAfterSeconds: linkRetryAfterSeconds };
  const digest = await passwordDigest(deps.passwordCost, form.password);
  const needsApproval = settings.require_admin_approval_after_user_signup;
  try {
    return await deps.transaction(async (within) => {
      const { username, email, name } = form;
      const user = await store.insert(within.db, {
        username,
        email: `unconfirmed-${Buffer.from(within.randomBytes(12)).toString("hex")}@users.noreply.invalid`,
        emailVerified: false,
        pendingEmail: email,
        pendingEmailAt: within.clock(),
        name: name || username,
        passwordDigest: digest,
        admin: false,
        state: needsApproval ? "blocked_pending_approval" : "active",
        privateProfile: settings.user_defaults_to_private_profile,
        createdAt: within.clock(),
      });
      await audit.record(within, "user.registered", { address: ipAddress }, { userId: user.id });
      await sendConfirmationLink(within, user, email);
      if (needsApproval) await requestApproval(within, user);
      return { user };
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return { problems: { username: USERNAME_TAKEN } };
  }
}

const USERNAME_TAKEN = "is already taken. Choose another username.";

async function problemsOf(deps: Deps, form: SignUpForm): Promise<SignUpFieldErrors> {
  const enforced = await enforcedProvider(deps, form.email);
  const problemsByField = {
    username: newUsernameProblem(form.username, instanceNamesOf(deps)),
    name: form.name === "" ? null : nameProblem(form.name),
    email:
      enforced === null
        ? emailProblem(form.email)
        : `belongs to an organization whose users sign in with ${enforced.label}`,
    password: await newPasswordProblem(deps, form.password, { ...form, twoFactor: false }),
  };
  return Object.fromEntries(
    Object.entries(problemsByField).flatMap(([field, text]) => (text === null ? [] : [[field, `${text}.`]])),
  );
}
