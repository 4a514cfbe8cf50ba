import { POST as postSession } from "@app/users/session/route.ts";
import { Secret, TOTP } from "otpauth";
import type { User } from "@/access/principal.ts";
import { creationOptions } from "@/identity/two-factor/passkey.ts";
import { addPasskey, beginTotp, enrollTotp } from "@/identity/two-factor/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { type Authenticator, newAuthenticator } from "./authenticator.ts";
import { encoded, type Fields, formPost, PASSWORD } from "./authorization.ts";

/**
 * An authenticator app. The function `code` returns the current code, or the code of a later time step of 30
 * seconds.
 */
export type AuthenticatorApp = Readonly<{
  code: (stepsLater?: number) => string;
  recoveryCodes: readonly string[];
}>;

/** Sets up an authenticator app, with the code of the previous time step. */
export async function enrolledApp(deps: Deps, user: User): Promise<AuthenticatorApp> {
  const { sealed, secret } = beginTotp(deps, user);
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
  const code = (stepsLater = 0) => totp.generate({ timestamp: deps.clock().getTime() + stepsLater * 30_000 });
  const enrolled = await enrollTotp(deps, user, sealed, code(-1));
  if (typeof enrolled === "string") throw new Error(`The app was refused: ${enrolled}`);
  return { code, recoveryCodes: enrolled.codes ?? [] };
}

/** Adds a passkey from a new authenticator. */
export async function addedPasskey(deps: Deps, user: User, name = "laptop"): Promise<Authenticator> {
  const authenticator = newAuthenticator();
  const creation = await creationOptions(deps, "register", user);
  const text = authenticator.create(creation);
  const added = await addPasskey(deps, user, { purpose: "register", text, name });
  if (typeof added === "string") throw new Error(`The passkey was refused: ${added}`);
  return authenticator;
}

/** Posts a sign-in form from a browser with the given cookies. */
export const postForm = (
  fields: Fields,
  cookie = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> => postSession(formPost("/users/session", encoded(fields), { cookie, ...headers }));

/**
 * Returns a cookie of the response as a `Cookie` header; an empty string if the response does not set the
 * cookie.
 */
export function cookieIn(response: Response, name: string): string {
  const lines = response.headers.getSetCookie();
  const line = lines.find(
    (candidate) => candidate.startsWith(`${name}=`) && !candidate.startsWith(`${name}=;`),
  );
  return line?.split(";", 1)[0] ?? "";
}

export const sessionIn = (response: Response): string => cookieIn(response, "gatehouse_session");

/**
 * Signs in with the password of a user with two-factor authentication.
 * @returns the cookie of the pending sign-in.
 */
export const pendingSignInCookie = async (login: string, return_to = "/back"): Promise<string> =>
  cookieIn(await postForm({ login, password: PASSWORD, return_to }), "gatehouse_pending_sign_in");

/**
 * Signs the user in with the password and a code of the authenticator app, or with the password and a
 * recovery code. Returns the new session.
 */
export async function signInWithCode<Of extends Readonly<{ user: User }>>(
  signedIn: Of,
  code: string,
): Promise<Of & Readonly<{ cookie: string }>> {
  const cookie = await pendingSignInCookie(signedIn.user.username);
  const response = await postForm({ intent: "second_factor", code, return_to: "/" }, cookie);
  return { ...signedIn, cookie: sessionIn(response) };
}
