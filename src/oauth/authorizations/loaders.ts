import { notFound } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf, urlWithQuery } from "@/kernel/http/query";
import { cursorIn, neighbours } from "@/kernel/paging/keyset";
import { pageIn } from "@/kernel/paging/page-number";
import { type GrantSummary, type LiveGrant, liveGrants } from "../tokens/live-grants";
import {
  type AuthorizedApplication,
  authorizedApplication,
  authorizedApplications,
  grantsWithoutApplication,
} from "./authorized-application";

const AUTHORIZED = "/user_settings/authorized_applications";
const APPLICATIONS_MAX = 25;
const GRANTS_MAX = 20;

type Neighbours = Readonly<{ newer: string | null; older: string | null }>;

/** A page of the authorized applications of the signed-in user. */
export type AuthorizedApplicationsPage = Readonly<{
  applications: readonly AuthorizedApplication[];
  total: number;
  /** The number of applications that were not used for `UNUSED_DAYS` days. */
  unused: number;
  search: string;
  page: number;
  /** The number of pages; at least 1. */
  pages: number;
  /** The grants that belong to no application; null on every page of the list except the first page. */
  unnamed: GrantSummary | null;
  now: Date;
}>;

export async function loadAuthorizedApplications(query: Query): Promise<AuthorizedApplicationsPage> {
  const { user } = await requireSession(AUTHORIZED);
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, 100);
  const page = pageIn(query);
  const list = { search, page, perPage: APPLICATIONS_MAX };
  const { rows, total, unused } = await authorizedApplications(deps, user.id, list);
  return {
    applications: rows,
    total,
    unused,
    search,
    page,
    pages: Math.max(1, Math.ceil(total / APPLICATIONS_MAX)),
    unnamed: page > 1 || search !== "" ? null : await grantsWithoutApplication(deps, user.id),
    now: deps.clock(),
  };
}

/** A page of the tokens that one application has for the account of the signed-in user. */
export type GrantsPage = Neighbours &
  Readonly<{
    /** The application to which the grants belong; null for grants without a registered application. */
    application: AuthorizedApplication | null;
    grants: readonly LiveGrant[];
    now: Date;
  }>;

/**
 * Returns a page of the tokens of one application. Ends the request with 404 for an application that the user
 * has not authorized.
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
  const slice = await liveGrants(deps, whose, cursorIn(query, readId), GRANTS_MAX);
  return {
    application,
    grants: slice.rows,
    now: deps.clock(),
    ...neighbours(
      slice,
      (grant) => String(grant.id),
      (neighbour) => urlWithQuery(path, neighbour),
    ),
  };
}
