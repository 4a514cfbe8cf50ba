import type { User } from "@/access/principal";
import { digest, matches, newToken } from "@/platform/crypto/token";
import type { Deps } from "@/platform/deps";
import { readSettings } from "../settings/service";
import { type Application, type ApplicationDraft, type ApplicationProblems, judgeApplication } from "./rules";
import * as store from "./store";

/** `secret` is in the clear here and nowhere else: null for an application that has none. */
export type Registered = Readonly<{ application: Application; secret: string | null }>;

/** http on any host is for development, and development is an instance that itself is served by http. */
const plainHttp = (deps: Deps): boolean => deps.config.baseUrl.protocol === "http:";

/** Whether people may register applications themselves. An operator always can. */
export const registrationIsOpen = async (deps: Deps): Promise<boolean> =>
  (await readSettings(deps)).user_oauth_applications;

/**
 * Registers an application. A confidential one gets a secret, which is shown once.
 * @param trusted skips consent; an operator decides that, never the registration page.
 */
export async function register(
  deps: Deps,
  owner: User,
  draft: ApplicationDraft,
  trusted = false,
): Promise<Registered | { readonly problems: ApplicationProblems }> {
  const judged = judgeApplication(draft, plainHttp(deps));
  if ("problems" in judged) return judged;
  const secret = judged.input.confidential ? newToken(deps.randomBytes, "clientSecret") : null;
  const application = await store.insert(deps.db, {
    ...judged.input,
    uid: Buffer.from(deps.randomBytes(32)).toString("hex"),
    trusted,
    ownerId: owner.id,
    secretDigest: secret === null ? null : digest(secret),
    now: deps.clock(),
  });
  return { application, secret };
}

/** The person's own applications, the newest first. */
export const listOwn = (deps: Deps, owner: User): Promise<readonly Application[]> =>
  store.listOwnedBy(deps.db, owner.id);

/** Every application of the instance: for operators. */
export const listAll = (deps: Deps): Promise<readonly Application[]> => store.list(deps.db);

/** One of the person's own applications; null for anybody else's. */
export const findOwn = (deps: Deps, owner: User, id: number): Promise<Application | null> =>
  store.findOwnedBy(deps.db, owner.id, id);

/** The application with this `client_id`, or null. */
export const findByUid = (deps: Deps, uid: string): Promise<Application | null> =>
  store.findByUid(deps.db, uid);

/**
 * Changes one of the person's own applications. One that becomes public loses its secret; one that becomes
 * confidential gets one.
 * @returns the new secret, if any, or what is wrong; null when the person has no such application.
 */
export async function change(
  deps: Deps,
  owner: User,
  id: number,
  draft: ApplicationDraft,
): Promise<Registered | { readonly problems: ApplicationProblems } | null> {
  const judged = judgeApplication(draft, plainHttp(deps));
  if ("problems" in judged) return judged;
  return deps.transaction(async (db) => {
    const before = await store.findOwnedBy(db, owner.id, id);
    if (before === null) return null;
    const now = deps.clock();
    await store.update(db, id, judged.input, now);
    let secret: string | null = null;
    if (judged.input.confidential && !before.confidential) {
      secret = newToken(deps.randomBytes, "clientSecret");
      await store.replaceSecrets(db, id, digest(secret), now);
    } else if (!judged.input.confidential) await store.removeSecrets(db, id);
    return { application: { ...before, ...judged.input }, secret };
  });
}

/** A new secret for one of the person's own confidential applications; the old one stops at once. Null: no such. */
export async function renewSecret(deps: Deps, owner: User, id: number): Promise<string | null> {
  return deps.transaction(async (db) => {
    const application = await store.findOwnedBy(db, owner.id, id);
    if (!application?.confidential) return null;
    const secret = newToken(deps.randomBytes, "clientSecret");
    await store.replaceSecrets(db, id, digest(secret), deps.clock());
    return secret;
  });
}

/** Removes one of the person's own applications with its codes and tokens. False: no such. */
export async function remove(deps: Deps, owner: User, id: number): Promise<boolean> {
  const application = await store.findOwnedBy(deps.db, owner.id, id);
  if (application === null) return false;
  await store.remove(deps.db, application.id);
  return true;
}

export type ClientRefusal = "client_unknown" | "secret_missing" | "secret_wrong" | "secret_unexpected";

/**
 * Client authentication (RFC 6749 §2.3.1). A public client has no secret to send: a blank one is accepted, any other
 * refused.
 * @param secret null or blank when none was sent.
 */
export async function authenticate(
  deps: Deps,
  uid: string,
  secret: string | null,
): Promise<{ readonly application: Application } | { readonly refused: ClientRefusal }> {
  const row = await deps.hot.client(uid);
  if (row === null) return { refused: "client_unknown" };
  const { application, secretDigests } = store.clientFrom(row);
  if (!application.confidential) return secret ? { refused: "secret_unexpected" } : { application };
  if (!secret) return { refused: "secret_missing" };
  return secretDigests.some((stored) => matches(secret, stored))
    ? { application }
    : { refused: "secret_wrong" };
}
