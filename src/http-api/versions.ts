import type { z } from "zod";

/** The versions of the API that this server speaks, by the beginning of the path. */
export type ApiVersion = "v4" | "v5";

/**
 * The version that a request asks for: a rewrite serves v5 from the same route files, and keeps the address. Next takes
 * it in small and in capital letters.
 */
export const versionOf = (pathname: string): ApiVersion => (/^\/api\/v5\//i.test(pathname) ? "v5" : "v4");

/** Releases of the product, by their day: `Deprecation` names that of the one that first carried a row. */
export const RELEASES = { "0.1.0": "2026-11-21" } as const;

export type ResponseFields = Readonly<Record<string, unknown>>;
export type RequestFields = Readonly<Record<string, unknown>>;

type About = Readonly<{
  /** What goes away, as the specification says it. */
  item: string;
  /** What a client does instead. */
  instead: string;
  since: keyof typeof RELEASES;
}>;

/** Endpoints that only v4 has. */
export type GoneEndpoint = About &
  Readonly<{
    kind: "endpoint";
    /** Of the path below the version. */
    path: RegExp;
    /** What takes the place of the matched part in the address of the replacement. */
    successor: string;
  }>;

/** A parameter that v4 takes, or takes in a wider sense. */
export type NarrowedParameter = About &
  Readonly<{
    kind: "parameter";
    parameter: string;
    /** Where an endpoint has this parameter, or would have. */
    beside: string;
    /** What comes back there. */
    entities?: readonly string[];
    /** What each version takes, where it is not what the route file declares. */
    takes: Partial<Readonly<Record<ApiVersion, z.ZodType>>>;
    /** Whether a request used what v5 has not. */
    isUsed: (sent: RequestFields) => boolean;
    /** The same wish in words of v5, where it has some. Raises an ApiError 400 for a contradiction. */
    inV5: (sent: RequestFields) => RequestFields;
  }>;

/** A field that v4 adds to the answer of v5, or fills otherwise. */
export type AddedField = About &
  Readonly<{
    kind: "field";
    entities: readonly string[];
    field: string;
    schema: z.ZodType;
    /** Its value, from the answer of v5, and from what that was made of where it does not tell. */
    from: (answer: ResponseFields, record: unknown) => unknown;
  }>;

export type Deprecation = GoneEndpoint | NarrowedParameter | AddedField;

/** The place on the reference page where a row is explained. */
export const anchorOf = (name: string): string => `v5-${name.replaceAll("_", "-")}`;
