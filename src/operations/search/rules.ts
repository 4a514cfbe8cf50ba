import type { Place } from "./catalog";

/** A search result: a link with its name and a short description. */
export type SearchResult = Readonly<{ label: string; detail: string; href: string }>;

/** The results of one kind, such as projects. */
export type SearchSection = Readonly<{ title: string; results: readonly SearchResult[] }>;

/** The user or visitor who searches. */
export type Viewer = Readonly<{ signedIn: boolean; admin: boolean }>;

const canOpen = ({ audience }: Place, { signedIn, admin }: Viewer): boolean =>
  audience === "everyone" || (audience === "users" ? signedIn : admin);

/**
 * Returns the pages that a viewer can open and whose name, description or other words contain every word of the
 * search. Pages whose name begins with the search come first. An empty search matches every page.
 */
export function findPlaces(
  places: readonly Place[],
  viewer: Viewer,
  search: string,
): readonly SearchResult[] {
  const lower = search.toLowerCase();
  const words = lower.split(/\s+/).filter((word) => word !== "");
  const rank = ({ label }: Place): number => (label.toLowerCase().startsWith(lower) ? 0 : 1);
  return places
    .filter((place) => canOpen(place, viewer))
    .filter(({ label, detail, words: others = "" }) => {
      const text = `${label} ${detail} ${others}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ label, detail, href }) => ({ label, detail, href }));
}
