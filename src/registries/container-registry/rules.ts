import { mayFetch, mayPush } from "@/access/code";
import type { Role } from "@/access/roles";
import { allows, type Scope } from "@/access/scopes";
import type { Visibility } from "@/access/visibility";

/** The actions that a token can grant on a repository. */
const IMAGE_ACTIONS = ["pull", "push", "delete"] as const;
export type ImageAction = (typeof IMAGE_ACTIONS)[number];

/** A container repository, with the requested or the granted actions on this repository. */
export type ImageAccess = Readonly<{ path: string; actions: readonly ImageAction[] }>;

const PATH_CHARACTERS_MAX = 255;
const COMPONENT = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const PATH = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);

/** Returns whether a path is a valid repository name (reference grammar of the CNCF distribution project). */
export const isImagePath = (path: string): boolean => path.length <= PATH_CHARACTERS_MAX && PATH.test(path);

/** Returns whether a name is a valid tag. */
export const isTagName = (name: string): boolean => /^\w[\w.-]{0,127}$/.test(name);

/**
 * Parses the `scope` parameters (Docker Registry v2, token scope). Each parameter contains one or more scopes
 * of the form `type:name:actions`, separated by spaces. Invalid scopes and unknown actions are omitted, so
 * the issued token does not grant them.
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

/**
 * Returns the full paths of all projects to which a repository with this path could belong, longest path
 * first.
 */
export function projectPathsOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, segments.length - at).join("/"));
}

/** Returns the part of a repository's path after the path of the project; empty if both paths are equal. */
export const nameInProject = (path: string, projectPath: string): string =>
  path.slice(projectPath.length).replace(/^\//, "");

const SCOPE_FOR: Readonly<Record<ImageAction, Scope>> = {
  pull: "read_registry",
  push: "write_registry",
  delete: "api",
};

/** Returns whether one of these scopes grants access to the container registry. */
export const grantsRegistryAccess = (scopes: readonly string[]): boolean =>
  Object.values(SCOPE_FOR).some((scope) => allows(scopes, scope));

/**
 * The properties of a caller that determine the access to the registry: the role of the user in the project,
 * and the scopes of the user's token. `scopes` is null if the request has no token.
 */
export type ImageCaller = Readonly<{ role: Role | null; scopes: readonly string[] | null }>;

/**
 * Returns whether the caller may perform an action on the images of a project. A caller without a token can
 * only pull public images.
 */
export function mayUseImages(
  action: ImageAction,
  visibility: Visibility,
  { role, scopes }: ImageCaller,
): boolean {
  if (scopes === null) return action === "pull" && visibility === "public";
  if (!allows(scopes, SCOPE_FOR[action])) return false;
  return action === "pull" ? mayFetch(visibility, role) : mayPush(role);
}

/** A tag, and the creation time of the tagged image; null if the image does not contain the creation time. */
export type DatedTag = Readonly<{ name: string; createdAt: Date | null }>;

/**
 * The limits of a bulk deletion. A bulk deletion does not delete the newest `keepNewest` tags. Of all other
 * tags, only the tags whose images were created before `before` are deleted.
 */
export type RetentionLimits = Readonly<{ keepNewest: number; before: Date | null }>;

/** The tag that a bulk deletion never deletes, because clients pull this tag by default. */
export const PROTECTED_TAG = "latest";

/**
 * Returns the tags that a bulk deletion deletes. A tag whose image contains no creation time counts as newer
 * than all other tags.
 */
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

/**
 * Parses an age in the format of the GitLab API, such as `1h`, `7d` or `1month`; null if the text is invalid.
 */
export function parseAgeMs(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,4})\s?([a-z]+?)s?$/.exec(text) ?? [];
  const unitMs = Object.hasOwn(UNITS_MS, unit) ? UNITS_MS[unit] : undefined;
  return unitMs === undefined ? null : Number(count) * unitMs;
}

/** The minimum time between two bulk deletions of a repository. */
export const CLEANUP_EVERY_MS = HOUR_MS;

/** The delay before a failed deletion is retried. */
export const RETRY_AFTER_MS = 60_000;
