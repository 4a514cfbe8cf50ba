import { isScope, type Scope } from "@/access/scopes";
import { writeLastUses } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { type Cursor, type Slice, sliceOf } from "@/kernel/paging/keyset";
import { type Consent, consentOf, consentsOf } from "../consents/service";
import {
  applicationsWithGrants,
  type GrantSummary,
  grantSummaries,
  type LiveGrant,
} from "../tokens/live-grants";

/** An application that has the consent of a user, or active tokens of the user. */
export type AuthorizedApplication = Readonly<{
  id: number;
  name: string;
  owner: Readonly<{ username: string }>;
  /** The time at which the user first gave consent; null for an application that skipped consent. */
  allowedAt: Date | null;
  /** The scopes of the consent and of all active tokens. */
  scopes: readonly Scope[];
  /** The number of active grants. `grants` contains the most recently used grants. */
  count: number;
  grants: readonly LiveGrant[];
}>;

/**
 * The maximum number of grants on the card of an application. The page of the application lists all grants.
 */
const GRANTS_SHOWN = 3;

/** Returns a page of the applications that a user has authorized, in five queries. */
export async function authorizedApplications(
  deps: Deps,
  userId: number,
  cursor: Cursor<number>,
  most: number,
): Promise<Slice<AuthorizedApplication>> {
  await writeLastUses(deps);
  const consents = await consentsOf(deps, userId, cursor, most + 1);
  const granted = await applicationsWithGrants(deps, userId, cursor, most + 1);
  const ids = [...new Set([...consents.map(({ applicationId }) => applicationId), ...granted])];
  const sign = cursor?.side === "after" ? 1 : -1;
  const { rows, ...more } = sliceOf(ids.toSorted((a, b) => sign * (a - b)).slice(0, most + 1), most, cursor);
  const summaryOf = await grantSummaries(deps, userId, rows, GRANTS_SHOWN);
  const applications = rows.flatMap(
    (id) =>
      together(
        consents.find(({ applicationId }) => applicationId === id),
        summaryOf(id),
      ) ?? [],
  );
  return { rows: applications, ...more };
}

/** Returns one authorized application; null when the user has not authorized the application. */
export async function authorizedApplication(
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }>,
): Promise<AuthorizedApplication | null> {
  await writeLastUses(deps);
  const consent = await consentOf(deps, about);
  const summaryOf = await grantSummaries(deps, about.userId, [about.applicationId], 1);
  return together(consent ?? undefined, summaryOf(about.applicationId));
}

/**
 * Returns the grants without an application, for example of a script that sends a username and a password.
 */
export async function grantsWithoutApplication(deps: Deps, userId: number): Promise<GrantSummary> {
  return (await grantSummaries(deps, userId, null, GRANTS_SHOWN))(null);
}

function together(
  consent: Consent | undefined,
  { count, scopes, newest }: GrantSummary,
): AuthorizedApplication | null {
  const application = consent?.application ?? newest[0]?.application;
  if (!application) return null;
  const words = [...(consent?.scopes.split(" ") ?? []), ...scopes];
  return {
    ...application,
    allowedAt: consent?.createdAt ?? null,
    scopes: [...new Set(words)].filter(isScope),
    count,
    grants: newest,
  };
}
