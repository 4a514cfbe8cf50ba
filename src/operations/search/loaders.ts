import { sessionIfAny } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import { SEARCH_CHARACTERS_MAX, searchEverything } from "./service";

export const SEARCH_PAGE = "/search";

/** The number of results of each kind on the search page. */
const RESULTS_MAX = 20;

/** Loads the results of the search page for the viewer. */
export async function loadSearch(query: Query) {
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const user = (await sessionIfAny(urlWithQuery(SEARCH_PAGE, { search })))?.user ?? null;
  const sections = await searchEverything(systemDeps(), user, search, RESULTS_MAX);
  return { search, sections, admin: user?.admin === true };
}
