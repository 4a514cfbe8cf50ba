import { decodeSegment } from "./request-path.ts";
import { GIT_ADDRESS, ONLY_NEXT, REWRITES } from "./url-table.mjs";

/** The methods that a route file can export. Next supports the same methods. */
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"] as const;
type Method = (typeof METHODS)[number];

export const isRouteMethod = (method: string | undefined): method is Method =>
  METHODS.some((routeMethod) => routeMethod === method);

type RouteParams = Record<string, string | string[]>;
export type RouteHandler = (
  request: Request,
  context: { params: Promise<RouteParams> },
) => Response | Promise<Response>;

/** A file `app/**\/route.ts` and its folders, such as `["projects", "[id]", "[...path]"]`. */
export type RouteFile = Readonly<{ segments: readonly string[]; module: Readonly<Record<string, unknown>> }>;

type Route = Readonly<{
  /** The path pattern of the route file, such as `/api/v4/projects/:id`. */
  pattern: string;
  handlers: ReadonlyMap<string, RouteHandler>;
  allow: string;
}>;
export type Match = Readonly<{ route: Route; params: RouteParams }>;

type Branch = {
  fixed: Map<string, Branch>;
  param: { name: string; branch: Branch } | null;
  rest: { name: string; route: Route } | null;
  route: Route | null;
};

const newBranch = (): Branch => ({ fixed: new Map(), param: null, rest: null, route: null });

/**
 * Compiles the route files into a function that finds the route of a path.
 * @returns a function that returns the route of a path without query (see `pathIsPlain`); null if no route
 * file matches the path.
 * @throws an Error when two folders of one level have different parameter names.
 */
export function compileRoutes(files: readonly RouteFile[]): (path: string) => Match | null {
  const root = newBranch();
  for (const file of files) plant(root, file);
  /** The routes whose paths have no parameters. Most requests use one of these routes. */
  const fixed = new Map<string, Match>();
  for (const { segments } of files) {
    const route = segments.some(isParameter) ? null : find(root, segments, 0, {});
    if (route !== null) fixed.set(`/${segments.join("/")}`, { route, params: {} });
  }
  return (path) => {
    const target = rewritten(path);
    const match = fixed.get(target);
    if (match !== undefined) return match;
    if (ONLY_NEXT.test(target)) return null;
    const segments = target.split("/").slice(1);
    if (segments.at(-1) === "") segments.pop();
    const params: RouteParams = {};
    const route = find(
      root,
      segments.map((segment) => decodeSegment(segment) ?? segment),
      0,
      params,
    );
    return route === null ? null : { route, params };
  };
}

function rewritten(path: string): string {
  for (const { from, to } of REWRITES) if (path.startsWith(from)) return to + path.slice(from.length);
  return isGitAddress(path) ? GIT_ADDRESS.prefix + path : path;
}

/**
 * Returns whether a path is a path that Git or Git LFS requests. A fast check excludes most paths before the
 * regular expression runs.
 */
export const isGitAddress = (path: string): boolean =>
  (path.includes(".git/") || path.includes("/info/lfs/")) && GIT_ADDRESS.pattern.test(path);

const isParameter = (segment: string): boolean => segment.startsWith("[");

function plant(root: Branch, { segments, module }: RouteFile): void {
  const route = routeOf(segments, module);
  let branch = root;
  for (const segment of segments) {
    const [, optional, rest, name] = /^\[(\[?)(\.\.\.)?([^\]]+)\]+$/.exec(segment) ?? [];
    if (name === undefined) branch = fixedBranch(branch, segment);
    else if (rest === undefined) branch = paramBranch(branch, name);
    else {
      branch.rest = { name, route };
      if (optional === "[") branch.route = route;
      return;
    }
  }
  branch.route = route;
}

function fixedBranch(branch: Branch, segment: string): Branch {
  const next = branch.fixed.get(segment) ?? newBranch();
  branch.fixed.set(segment, next);
  return next;
}

function paramBranch(branch: Branch, name: string): Branch {
  branch.param ??= { name, branch: newBranch() };
  if (branch.param.name !== name)
    throw new Error(
      `The route folders [${branch.param.name}] and [${name}] have different parameter names at the same level.`,
    );
  return branch.param.branch;
}

/**
 * Returns the route of a path; null if no route matches. A fixed segment takes precedence over a parameter,
 * and a parameter takes precedence over a catch-all segment. The search backtracks when a branch of the route
 * tree has no match.
 */
function find(branch: Branch, segments: readonly string[], depth: number, params: RouteParams): Route | null {
  const segment = segments[depth];
  if (segment === undefined) return branch.route;
  const fixed = branch.fixed.get(segment);
  const match = fixed === undefined ? null : find(fixed, segments, depth + 1, params);
  if (match !== null) return match;
  if (branch.param !== null) {
    const below = find(branch.param.branch, segments, depth + 1, params);
    if (below !== null) {
      params[branch.param.name] = segment;
      return below;
    }
  }
  if (branch.rest === null) return null;
  params[branch.rest.name] = segments.slice(depth);
  return branch.rest.route;
}

const patternOf = (segments: readonly string[]): string =>
  `/${segments.map((segment) => segment.replace(/^\[+(?:\.\.\.)?([^\]]+)\]+$/, ":$1")).join("/")}`;

function routeOf(segments: readonly string[], module: Readonly<Record<string, unknown>>): Route {
  const handlers = new Map<string, RouteHandler>();
  for (const method of METHODS) {
    const handler = module[method];
    if (isHandler(handler)) handlers.set(method, handler);
  }
  const get = handlers.get("GET");
  if (get !== undefined && !handlers.has("HEAD")) handlers.set("HEAD", get);
  const allow = [...new Set<string>([...handlers.keys(), "OPTIONS" satisfies Method])].sort().join(", ");
  if (!handlers.has("OPTIONS"))
    handlers.set("OPTIONS", () => new Response(null, { status: 204, headers: { Allow: allow } }));
  return { pattern: patternOf(segments), handlers, allow };
}

const isHandler = (value: unknown): value is RouteHandler => typeof value === "function";
