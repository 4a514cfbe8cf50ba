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

/** An application that a person has allowed something, or has given tokens that still work. */
export type AuthorizedApplication = Readonly<{
  id: number;
  name: string;
  owner: Readonly<{ username: string }>;
  /** When it was first allowed; null for one that nobody was asked about. */
  allowedAt: Date | null;
  /** All that it may do. */
  scopes: readonly Scope[];
  /** How many grants still work, and those that were used last. */
  count: number;
  grants: readonly LiveGrant[];
}>;

/** Grants that a card shows; the rest has a page of its own. */
const GRANTS_SHOWN = 3;

/** The applications that a person has allowed something, page by page, in five queries. */
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

/** One of them; null when the person has allowed it nothing. */
export async function authorizedApplication(
  deps: Deps,
  about: Readonly<{ userId: number; applicationId: number }>,
): Promise<AuthorizedApplication | null> {
  await writeLastUses(deps);
  const consent = await consentOf(deps, about);
  const summaryOf = await grantSummaries(deps, about.userId, [about.applicationId], 1);
  return together(consent ?? undefined, summaryOf(about.applicationId));
}

/** What was given away without any application, such as by a script that sends name and password. */
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
