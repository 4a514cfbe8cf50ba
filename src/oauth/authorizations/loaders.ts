import { notFound } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf } from "@/kernel/http/query";
import { keysetLinks, keysetPagingIn, offsetPagingIn, type PageLinks } from "@/kernel/paging/links";
import { logosOf } from "../applications/service";
import { type GrantSummary, type LiveGrant, liveGrants } from "../tokens/live-grants";
import {
  type AuthorizedApplication,
  authorizedApplication,
  authorizedApplications,
  grantsWithoutApplication,
  recentAuthorizations,
} from "./authorized-application";

const AUTHORIZED = "/user_settings/authorized_applications";
const APPLICATIONS_MAX = 25;
const GRANTS_MAX = 20;

/** A page of the authorized applications of the signed-in user. */
export type AuthorizedApplicationsPage = Readonly<{
  applications: readonly (AuthorizedApplication & Readonly<{ logo: string | null }>)[];
  total: number;
  /** The number of applications that were not used for `UNUSED_DAYS` days. */
  unused: number;
  search: string;
  page: number;
  /** The number of pages; at least 1. */
  pages: number;
  /** The grants without an application; null on every page of the list except the first page. */
  unnamed: GrantSummary | null;
  now: Date;
}>;

/** Returns a page of the authorized applications of the signed-in user, the most recently used one first. */
export async function loadAuthorizedApplications(
  query: Query,
  applicationsMax = APPLICATIONS_MAX,
): Promise<AuthorizedApplicationsPage> {
  const { user } = await requireSession(AUTHORIZED);
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, 100);
  const { page, perPage } = offsetPagingIn(query, applicationsMax);
  const list = { search, page, perPage };
  const { rows, total, unused } = await authorizedApplications(deps, user.id, list);
  const logos = await logosOf(
    deps,
    rows.map(({ id }) => id),
  );
  return {
    applications: rows.map((row) => ({ ...row, logo: logos.get(row.id) ?? null })),
    total,
    unused,
    search,
    page,
    pages: Math.max(1, Math.ceil(total / perPage)),
    unnamed: page > 1 || search !== "" ? null : await grantsWithoutApplication(deps, user.id),
    now: deps.clock(),
  };
}

/** Returns at most `most` authorized applications of the signed-in user, for the home page. */
export async function loadRecentAuthorizations(most: number) {
  const { user } = await requireSession(AUTHORIZED);
  const deps = systemDeps();
  const recent = await recentAuthorizations(deps, user.id, most);
  const logos = await logosOf(
    deps,
    recent.map(({ id }) => id),
  );
  const applications = recent.map((row) => ({ ...row, logo: logos.get(row.id) ?? null }));
  return { applications, now: deps.clock() };
}

/** A page of the tokens that one application has for the account of the signed-in user. */
export type GrantsPage = PageLinks &
  Readonly<{
    /** The application of the grants; null for grants without an application. */
    application: AuthorizedApplication | null;
    grants: readonly LiveGrant[];
    now: Date;
  }>;

/**
 * Returns a page of the tokens of one application. Responds with 404 for an application that the user has not
 * authorized.
 * @param id the id of an application, or `none`.
 */
export async function loadAuthorizedApplication(id: string, query: Query): Promise<GrantsPage> {
  const path = `${AUTHORIZED}/${encodeURIComponent(id)}`;
  const { user } = await requireSession(path);
  const deps = systemDeps();
  const applicationId = id === "none" ? null : (readId(id) ?? notFound());
  const application =
    applicationId === null
      ? null
      : ((await authorizedApplication(deps, { userId: user.id, applicationId })) ?? notFound());
  const whose = { userId: user.id, applicationId };
  const slice = await liveGrants(deps, whose, keysetPagingIn(query, GRANTS_MAX, readId));
  return {
    application,
    grants: slice.rows,
    now: deps.clock(),
    ...keysetLinks(slice, (grant) => String(grant.id), path),
  };
}
