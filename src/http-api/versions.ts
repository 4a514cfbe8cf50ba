import type { z } from "zod";

/** The versions of the API that this server implements, by the beginning of the path. */
export type ApiVersion = "v4" | "v5";

/**
 * Returns the requested version: a rewrite serves v5 from the same route files and keeps the URL. Next
 * matches it without regard to case.
 */
export const versionOf = (pathname: string): ApiVersion => (/^\/api\/v5\//i.test(pathname) ? "v5" : "v4");

/**
 * Releases of the product with their day, which is the `Deprecation` date of the rows that a release
 * introduced.
 */
export const RELEASES = { "0.1.0": "2026-11-21" } as const;

export type ResponseFields = Readonly<Record<string, unknown>>;
export type RequestFields = Readonly<Record<string, unknown>>;

type About = Readonly<{
  /** The deprecated part, as the specification names it. */
  item: string;
  /** The change that a client needs. */
  instead: string;
  since: keyof typeof RELEASES;
}>;

/** Endpoints that only v4 has. */
export type GoneEndpoint = About &
  Readonly<{
    kind: "endpoint";
    /** Matches the path below the version. */
    path: RegExp;
    /** Replaces the matched part in the URL of the replacement. */
    successor: string;
  }>;

/** A parameter that only v4 accepts, or accepts with more values. */
export type NarrowedParameter = About &
  Readonly<{
    kind: "parameter";
    parameter: string;
    /** Another parameter that marks the endpoints of this row. */
    beside: string;
    /** The entities of the response. */
    entities?: readonly string[];
    /** The type in each version, where it differs from the route file. */
    takes: Partial<Readonly<Record<ApiVersion, z.ZodType>>>;
    /** Returns whether a request used the part that v5 does not have. */
    isUsed: (sent: RequestFields) => boolean;
    /**
     * Returns the equivalent parameters of v5, if any.
     * @throws ApiError 400 for a contradiction.
     */
    inV5: (sent: RequestFields) => RequestFields;
  }>;

/** A field that v4 adds to the response of v5, or fills differently. */
export type AddedField = About &
  Readonly<{
    kind: "field";
    entities: readonly string[];
    field: string;
    schema: z.ZodType;
    /**
     * Returns its value, from the response of v5 and, where that is not enough, from the record behind the
     * response.
     */
    from: (answer: ResponseFields, record: unknown) => unknown;
  }>;

export type Deprecation = GoneEndpoint | NarrowedParameter | AddedField;

/** Returns the anchor on the reference page where a row is explained. */
export const anchorOf = (name: string): string => `v5-${name.replaceAll("_", "-")}`;
