import { enrollsFirst, sessionOf } from "@/identity/sessions/service";
import { systemDeps } from "@/kernel/deps/deps";
import { jsonResponse } from "@/kernel/http/json";
import { searchEverything } from "./service";

/** The number of results of each kind in the command palette. */
const RESULTS_MAX = 6;

/**
 * `GET /-/search?search=TEXT` returns the results of the command palette as JSON, for the user of the
 * session. A user who must first set up a second factor gets only the results that visitors get.
 */
export async function getSearch(request: Request): Promise<Response> {
  const deps = systemDeps();
  const session = await sessionOf(deps, request.headers.get("cookie"));
  const user = session === null || (await enrollsFirst(deps, session)) ? null : session.user;
  const search = new URL(request.url).searchParams.get("search") ?? "";
  const sections = await searchEverything(deps, user, search, RESULTS_MAX);
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return jsonResponse({ sections }, { headers });
}
