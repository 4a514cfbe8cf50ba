import { mayFetch, mayPush } from "@/access/code";
import type { Role } from "@/access/roles";
import { allows, type Scope } from "@/access/scopes";
import type { Visibility } from "@/access/visibility";

/** What a token lets somebody do with the images of one name. */
const IMAGE_ACTIONS = ["pull", "push", "delete"] as const;
export type ImageAction = (typeof IMAGE_ACTIONS)[number];

/** The images of one name that somebody asks for, and what they want to do with them. */
export type ImageAccess = Readonly<{ path: string; actions: readonly ImageAction[] }>;

const PATH_CHARACTERS_MAX = 255;
const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const PATH = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);

/** Whether the registry can know images by this name (distribution's reference grammar). */
export const isImagePath = (path: string): boolean => path.length <= PATH_CHARACTERS_MAX && PATH.test(path);

/** Whether images can have this tag. */
export const isTagName = (name: string): boolean => /^\w[\w.-]{0,127}$/.test(name);

/**
 * The images that `scope` parameters ask for (Docker Registry v2, token scope): each a list of `type:name:actions`,
 * parted by spaces. What is nothing of ours, or asks for nothing that there is, is left out, as what is denied is.
 */
export function parseImageScopes(texts: readonly string[]): readonly ImageAccess[] {
  const requested = new Map<string, Set<ImageAction>>();
  for (const word of texts.flatMap((text) => text.split(" "))) {
    const [, path = "", actions = ""] = /^repository:([^:]+):([a-z,*]+)$/.exec(word) ?? [];
    if (!isImagePath(path)) continue;
    const wanted = requested.get(path) ?? new Set();
    for (const action of IMAGE_ACTIONS) if (actions.split(",").includes(action)) wanted.add(action);
    requested.set(path, wanted);
  }
  return [...requested].map(([path, actions]) => ({ path, actions: [...actions] }));
}

/** The full paths of the projects that images of this name could belong to, the longest first. */
export function projectPathsOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, segments.length - at).join("/"));
}

/** What the images are called inside of their project; empty for those that are called as it is. */
export const nameInProject = (path: string, projectPath: string): string =>
  path.slice(projectPath.length).replace(/^\//, "");

const SCOPE_FOR: Readonly<Record<ImageAction, Scope>> = {
  pull: "read_registry",
  push: "write_registry",
  delete: "api",
};

/** Whether a token with these scopes may do anything with images at all. */
export const grantsRegistryAccess = (scopes: readonly string[]): boolean =>
  Object.values(SCOPE_FOR).some((scope) => allows(scopes, scope));

/** Somebody before a project: what they are there, and what their token allows; null: nobody has shown one. */
export type ImageCaller = Readonly<{ role: Role | null; scopes: readonly string[] | null }>;

/** Whether somebody may do that with the images of a project. Without a token: pull what everybody may read. */
export function mayUseImages(
  action: ImageAction,
  visibility: Visibility,
  { role, scopes }: ImageCaller,
): boolean {
  if (scopes === null) return action === "pull" && visibility === "public";
  if (!allows(scopes, SCOPE_FOR[action])) return false;
  return action === "pull" ? mayFetch(visibility, role) : mayPush(role);
}

/** A tag with the moment at which its image was made; null where the image does not say. */
export type DatedTag = Readonly<{ name: string; createdAt: Date | null }>;

/** A bulk removal: the newest that stay, and the moment before which the others have to have been made. */
export type RetentionLimits = Readonly<{ keepNewest: number; before: Date | null }>;

/** The tag that a bulk removal never takes: what everybody pulls who names none. */
export const PROTECTED_TAG = "latest";

/** Which of the tags go. An image that does not say when it was made counts as new. */
export function expiredTags(
  tags: readonly DatedTag[],
  { keepNewest, before }: RetentionLimits,
): readonly string[] {
  const age = ({ createdAt }: DatedTag): number => createdAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return tags
    .toSorted((a, b) => (age(a) === age(b) ? 0 : age(b) - age(a)))
    .slice(keepNewest)
    .filter((tag) => before === null || age(tag) < before.getTime())
    .map(({ name }) => name);
}

const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  hour: HOUR_MS,
  d: 24 * HOUR_MS,
  day: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
  year: 365 * 24 * HOUR_MS,
};

/** An age in words of the dialect, such as `1h`, `7d` or `1month`; null for anything else. */
export function parseAgeMs(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,4})\s?([a-z]+?)s?$/.exec(text) ?? [];
  const unitMs = Object.hasOwn(UNITS_MS, unit) ? UNITS_MS[unit] : undefined;
  return unitMs === undefined ? null : Number(count) * unitMs;
}

/** A bulk removal can be asked for once in this time. */
export const CLEANUP_EVERY_MS = HOUR_MS;

/** After something could not be done in the registry. */
export const RETRY_AFTER_MS = 60_000;
