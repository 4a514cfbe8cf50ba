import type { User } from "@/access/principal";
import { PASSWORD_CHARACTERS_MAX, passwordDigest } from "@/platform/crypto/password";
import { isUniqueViolation } from "@/platform/db/errors";
import type { Deps } from "@/platform/deps";
import { reserve } from "@/platform/rate-limit/counter";
import * as audit from "../audit/service";
import { groupIsNamed } from "../groups/taken";
import { limitOf, readSettings } from "../settings/service";
import { emailProblem, nameProblem, passwordProblem, usernameProblem } from "./rules";
import * as store from "./store";

/** What a person typed who wants an account. */
export type SignUpForm = Readonly<{ username: string; name: string; email: string; password: string }>;

/** What is wrong, field by field; each continues the name of its field. */
export type SignUpProblems = Readonly<Partial<Record<keyof SignUpForm, string>>>;

export type SignUpOutcome =
  | { readonly user: User }
  | { readonly problems: SignUpProblems }
  | { readonly retryAfterSeconds: number }
  | "closed";

/** Whether anybody may register. */
export const signUpIsOpen = async (deps: Deps): Promise<boolean> => (await readSettings(deps)).signup_enabled;

/**
 * Makes an account for whoever asks for one, while the instance allows that. The address is not confirmed.
 * A username is public, so a taken one is named. That an address is taken cannot be hidden without sending mail: it is
 * said no clearer than must be, takes the same time, and every complete form is counted, the good ones too.
 * @throws PasswordsBusy when too many passwords are being hashed at once.
 */
export async function signUp(deps: Deps, form: SignUpForm, address: string): Promise<SignUpOutcome> {
  const settings = await readSettings(deps);
  if (!settings.signup_enabled) return "closed";
  const problems = problemsOf(form);
  if (Object.keys(problems).length > 0) return { problems };
  const counted = [limitOf(settings, "sign_up_per_address", address)];
  const retryAfterSeconds = await reserve(deps.db, counted, deps.clock());
  if (retryAfterSeconds !== null) return { retryAfterSeconds };
  if ((await store.usernameIsTaken(deps.db, form.username)) || (await groupIsNamed(deps, form.username)))
    return { problems: { username: "is already taken. Choose another one." } };
  const digest = await passwordDigest(form.password);
  try {
    return await deps.transaction(async (db) => {
      const { username, email, name } = form;
      const user = await store.insert(db, {
        username,
        email,
        emailVerified: false,
        name: name || username,
        passwordDigest: digest,
        admin: false,
        state: "active",
        privateProfile: settings.user_defaults_to_private_profile,
        createdAt: deps.clock(),
      });
      await audit.record({ ...deps, db }, "user.registered", { address }, { userId: user.id });
      return { user };
    });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return { problems: { email: ADDRESS_REFUSED } };
  }
}

const ADDRESS_REFUSED =
  "cannot be used for a new account. If you have an account already, sign in; else use another address.";

function problemsOf(form: SignUpForm): SignUpProblems {
  const found = {
    username: usernameProblem(form.username),
    name: form.name === "" ? null : nameProblem(form.name),
    email: emailProblem(form.email),
    password: passwordProblem(form.password, PASSWORD_CHARACTERS_MAX),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([field, text]) => (text === null ? [] : [[field, `${text}.`]])),
  );
}
