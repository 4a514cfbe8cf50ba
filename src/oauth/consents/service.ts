import type { Deps } from "@/kernel/deps/deps";
import { isOutside } from "../tokens/rules";
import * as store from "./store";
import { consentTimesOf, type StoredConsent, consentsTo as storedConsents } from "./store.sql";

/** The consent of a user to an application. */
export type Consent = StoredConsent;

/** Returns the scopes that this user has granted to this application. */
export const consentedScopes = (
  deps: Deps,
  userId: number,
  applicationId: number,
): Promise<readonly string[]> => store.consentedScopes(deps.db, userId, applicationId);

/**
 * Locks the consent of a user to an application until the transaction ends, so that the consent cannot be
 * withdrawn during the transaction.
 * @returns the scopes of the consent; empty without a consent.
 */
export const lockConsent = (
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }>,
): Promise<readonly string[]> => store.lockConsent(deps.db, about);

/** Locks all consents of a user until the transaction ends. */
export const lockConsentsOf = (deps: Deps, userId: number): Promise<void> =>
  store.lockConsentsOf(deps.db, userId);

/**
 * Adds scopes to the consent of a user, or creates the consent. Callers must be inside the transaction that records the decision of
 * the user.
 */
export const extendConsent = (
  deps: Deps,
  consent: Readonly<{ userId: number; applicationId: number; scopes: readonly string[] }>,
): Promise<void> => store.recordConsent(deps.db, { ...consent, now: deps.clock() });

/** Removes, from all consents to an application, the scopes that the application no longer has. */
export async function narrowConsents(
  deps: Deps,
  application: Readonly<{ id: number; scopes: readonly string[] }>,
): Promise<void> {
  const listWider = async () =>
    (await store.consentedScopeLists(deps.db, application.id)).filter(
      (list) => list !== "" && isOutside(list, application.scopes),
    );
  // The loop runs one query for each distinct scope list. The number of queries is small, because most users
  // of an application have granted the same few scope lists. The lists are read again at the end, because a
  // simultaneous request may have added a scope to a consent, and the query has skipped this consent.
  for (let lists = await listWider(); lists.length > 0; lists = await listWider()) {
    for (const before of lists) await narrowList(deps, application, before);
  }
}

async function narrowList(
  deps: Deps,
  application: Readonly<{ id: number; scopes: readonly string[] }>,
  before: string,
): Promise<void> {
  const remaining = before.split(" ").filter((scope) => application.scopes.includes(scope));
  const change = { applicationId: application.id, before, after: remaining.join(" "), now: deps.clock() };
  await store.replaceConsentedScopes(deps.db, change);
}

/** Returns the applications to which a user has given consent, with the time of the last consent, at most `most`. */
export const consentTimes = async (
  deps: Deps,
  userId: number,
  most: number,
): Promise<readonly Pick<Consent, "applicationId" | "updatedAt">[]> =>
  consentTimesOf(deps.reads, userId, most);

/** Returns the consents of a user to these applications, keyed by the id of the application. */
export async function consentsTo(
  deps: Deps,
  userId: number,
  applicationIds: readonly number[],
): Promise<ReadonlyMap<number, Consent>> {
  const rows =
    applicationIds.length === 0 ? [] : await storedConsents(deps.reads, { userId, applicationIds });
  return new Map(rows.map((consent) => [consent.applicationId, consent]));
}

export const consentOf = async (
  deps: Deps,
  { userId, applicationId }: Readonly<{ userId: number; applicationId: number }>,
): Promise<Consent | null> => (await consentsTo(deps, userId, [applicationId])).get(applicationId) ?? null;

/**
 * Returns the number of users who have given consent to an application.
 * @param most the maximum number of users that the function counts.
 */
export const countConsents = (deps: Deps, applicationId: number, most: number): Promise<number> =>
  store.countConsents(deps.db, applicationId, most);

/**
 * Removes the consent of a user to an application.
 * @returns 1 when the consent existed; 0 when the user had given no consent.
 */
export const removeConsent = (
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }>,
): Promise<number> => store.removeConsent(deps.db, about);

/** Removes all consents to an application. */
export const removeConsentsTo = (deps: Deps, applicationId: number): Promise<void> =>
  store.removeConsentsTo(deps.db, applicationId);

export const removeConsentsOf = (deps: Deps, userId: number): Promise<void> =>
  store.removeConsentsOf(deps.db, userId);
