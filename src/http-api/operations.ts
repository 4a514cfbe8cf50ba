import { ALL_SCOPES, allows, type Scope } from "@/access/scopes";
import type { Declaration } from "./declaration";
import { type Handler, scopesOf } from "./endpoint";

/** A route file below `app/api/v4`, by its folders, such as `["projects", "[id]", "members"]`. */
export type ApiRoute = Readonly<{ segments: readonly string[]; module: Readonly<Record<string, unknown>> }>;

/** An operation of the API: a method of a path, with its declaration from the route file. */
export type Operation = Readonly<{
  method: string;
  /** The path without the version prefix, such as `/projects/{id}/members`. */
  path: string;
  /** The names of the path parameters, in their order. */
  pathNames: readonly string[];
  /** The resource of the operation, under which the table of contents lists the operation. */
  group: string;
  declaration: Declaration;
  /**
   * All scopes that are sufficient for the operation, including broader scopes that contain a declared scope.
   */
  scopes: readonly Scope[];
  /** The description of the callers with access, as the end of a sentence that begins with "For". */
  audience: string;
}>;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Returns all declarations of the route files, in the order of their paths. */
export const operationsOf = (routes: readonly ApiRoute[]): readonly Operation[] =>
  routes.flatMap(({ segments, module }) =>
    METHODS.flatMap((method) => {
      const handler = module[method];
      return isDeclared(handler) ? [operationOf(method, segments, handler.declaration)] : [];
    }),
  );

const isDeclared = (value: unknown): value is Handler =>
  typeof value === "function" && "declaration" in value;

function operationOf(method: string, segments: readonly string[], declaration: Declaration): Operation {
  const declared = scopesOf(declaration, method);
  return {
    method,
    path: `/${segments.map((segment) => parameterIn(segment)?.replace(/.+/, "{$&}") ?? segment).join("/")}`,
    pathNames: segments.flatMap((segment) => parameterIn(segment) ?? []),
    group: groupOf(segments),
    declaration,
    scopes: ALL_SCOPES.filter((scope) => declared.some((needed) => allows([scope], needed))),
    audience: audienceOf(declaration),
  };
}

const parameterIn = (segment: string): string | null => /^\[(\w+)\]$/.exec(segment)?.[1] ?? null;

/** The resources, such as projects, whose nested resources have separate groups in the table of contents. */
const CONTAINERS = ["projects", "groups"];

/**
 * The group in the table of contents for the first segment of a path, if the name of the group differs from
 * the segment.
 */
const SAME_GROUP: Readonly<Record<string, string>> = {
  application: "instance",
  jobs: "runners",
  metadata: "instance",
  "openapi.json": "instance",
  version: "instance",
  user: "users",
};

function groupOf([first = "", , inside]: readonly string[]): string {
  const group = titled(SAME_GROUP[first] ?? first);
  return CONTAINERS.includes(first) && inside !== undefined ? `${group}: ${inWords(inside)}` : group;
}

const inWords = (segment: string): string => segment.replaceAll("_", " ");
const titled = (segment: string): string => inWords(segment).replace(/^./, (letter) => letter.toUpperCase());

const audienceOf = ({ audience, anonymous }: Declaration): string =>
  anonymous ? `${audience}, with or without a token` : audience;
