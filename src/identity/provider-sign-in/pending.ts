import { z } from "zod";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { cookieValue, setCookie } from "@/kernel/http/cookie";
import type { Provider } from "../providers/rules";
import type { Session } from "../sessions/service";
import type { Expected } from "./client";
import * as store from "./store";

/** The time within which the user must return from the provider. */
const SECONDS = 3_600;

const details = z.object({
  provider: z.string(),
  issuer: z.string(),
  purpose: z.enum(["sign_in", "link", "confirm"]),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /**
   * Whether the re-authentication interrupted the submission of a form, which the user must then submit
   * again.
   */
  repeat: z.boolean(),
  /** Whether the client of the authorization request requires the user to sign in again. */
  recent: z.boolean().default(false),
  /** The digest of the session that links an account or re-authenticates; null for a sign-in. */
  session: z.string().nullable(),
  startedAt: z.number(),
});

/**
 * The purpose of an authorization request to a provider: to sign in, to link an account to the signed-in user, or to
 * re-authenticate the signed-in user.
 */
export type Purpose = z.infer<typeof details>["purpose"];

/** An authorization request to a provider that the user has not completed yet. */
export type Pending = Readonly<z.infer<typeof details>> & Readonly<{ state: string }>;

/** Returns whether the provider must ask the user of this request to sign in again. */
export const reauthenticates = ({ purpose, recent }: Pick<Pending, "purpose" | "recent">): boolean =>
  recent || purpose === "confirm";

/**
 * Returns the text that identifies a session in the stored details of an authorization request to a provider.
 */
export const sessionKeyOf = (session: Session): string => digest(session.id);

const randomText = (deps: Deps): string => Buffer.from(deps.randomBytes(32)).toString("base64url");

const BROWSER_ID = /^[\w-]{43}$/;

const browserOfCookie = (deps: Deps, cookieHeader: string | null): string | null => {
  const value = cookieValue(deps.config, cookieHeader, "provider_browser");
  return value !== null && BROWSER_ID.test(value) ? value : null;
};

/**
 * Stores an authorization request to an external identity provider. A random cookie binds the authorization
 * request to the browser. All tabs of a browser share the random cookie, so several tabs can sign in
 * simultaneously. The secrets of each request are stored encrypted, with the digest of the parameter `state`
 * as the primary key.
 */
export async function startPending(
  deps: Deps,
  cookieHeader: string | null,
  provider: Provider,
  request: Readonly<{
    purpose: Purpose;
    returnTo: string;
    repeat: boolean;
    recent: boolean;
    session: Session | null;
  }>,
): Promise<Readonly<{ expected: Expected; cookie: string }>> {
  const expected = { state: randomText(deps), nonce: randomText(deps), codeVerifier: randomText(deps) };
  const browser = browserOfCookie(deps, cookieHeader) ?? randomText(deps);
  const now = deps.clock().getTime();
  const text = JSON.stringify({
    provider: provider.name,
    issuer: provider.issuer,
    nonce: expected.nonce,
    codeVerifier: expected.codeVerifier,
    startedAt: now,
    ...request,
    session: request.session === null ? null : sessionKeyOf(request.session),
  } satisfies z.infer<typeof details>);
  const stateDigest = digest(expected.state);
  await store.insert(deps.db, {
    stateDigest,
    browserDigest: digest(browser),
    sealed: seal(deps.randomBytes, deps.keys.sealing, purposeOf(stateDigest), text),
    expiresAt: new Date(now + SECONDS * 1000),
  });
  return { expected, cookie: setCookie(deps.config, "provider_browser", browser, SECONDS) };
}

const purposeOf = (stateDigest: string): string => `provider_sign_in ${stateDigest}`;

/**
 * Returns the stored authorization request with this parameter `state`, and removes the request from the
 * database. The result is null for an unknown, expired or used `state`. If the `state` belongs to another
 * browser, the result is also null, and the authorization request of the other browser stays stored.
 */
export async function claimPending(
  deps: Deps,
  cookieHeader: string | null,
  state: string,
): Promise<Pending | null> {
  const browser = browserOfCookie(deps, cookieHeader);
  if (browser === null) return null;
  const key = { stateDigest: digest(state), browserDigest: digest(browser) };
  const row = await store.find(deps.db, key);
  if (row === null || !(await store.claim(deps.db, key)) || row.expiresAt <= deps.clock()) return null;
  const text = openValue(deps.keys, purposeOf(key.stateDigest), row.sealed);
  return text === null ? null : { ...details.parse(JSON.parse(text)), state };
}

/**
 * The encrypted details of authorization requests to providers. A rotation of the instance secret encrypts
 * these details again.
 */
export const sealedProviderRequests: SealedColumn = {
  column: "ProviderSignIn.sealed",
  list: store.listSealed,
  purpose: purposeOf,
  replace: store.replaceSealed,
};
