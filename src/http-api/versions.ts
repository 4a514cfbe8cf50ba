import type { z } from "zod";
import releases from "../../releases.json";

/** The versions of the API that this server implements, as the first segments of the path. */
export type ApiVersion = "v4" | "v5";

/**
 * Returns the requested version of the API. A rewrite serves v5 with the route files of v4, and does not
 * change the URL of the request. Next matches the version in the path case-insensitively.
 */
export const versionOf = (pathname: string): ApiVersion => (/^\/api\/v5\//i.test(pathname) ? "v5" : "v4");

/**
 * The releases of the product. The date of a release is the `Deprecation` date of the deprecations that the
 * release introduced.
 */
export const RELEASES = releases;

export type ResponseFields = Readonly<Record<string, unknown>>;
export type RequestFields = Readonly<Record<string, unknown>>;

type About = Readonly<{
  /** The name of the deprecated part, as in the OpenAPI document. */
  item: string;
  /** The change that a client must make. */
  instead: string;
  since: keyof typeof RELEASES;
}>;

/** The endpoints that only v4 has. */
export type GoneEndpoint = About &
  Readonly<{
    kind: "endpoint";
    /** Matches the path of the endpoint without the version prefix. */
    path: RegExp;
    /** The text that replaces the matched part of the path, which gives the URL of the successor endpoint. */
    successor: string;
  }>;

/** A parameter that only v4 accepts, or for which v4 accepts more values. */
export type NarrowedParameter = About &
  Readonly<{
    kind: "parameter";
    parameter: string;
    /**
     * The name of a second parameter. The deprecation applies only to endpoints that have both parameters.
     */
    beside: string;
    /**
     * The entities in the responses of the affected endpoints. The deprecation applies only to endpoints that
     * return one of these entities.
     */
    entities?: readonly string[];
    /** The type of the parameter in each version, if it differs from the type in the route file. */
    takes: Partial<Readonly<Record<ApiVersion, z.ZodType>>>;
    /**
     * Returns whether a request used a parameter that v5 does not accept, or a value of the parameter that v5
     * does not accept.
     */
    isUsed: (sent: RequestFields) => boolean;
    /**
     * Returns the equivalent parameters of v5, if any.
     * @throws ApiError 400 for contradictory parameters.
     */
    inV5: (sent: RequestFields) => RequestFields;
  }>;

/** A field that v4 adds to the response of v5, or whose value differs in v4. */
export type AddedField = About &
  Readonly<{
    kind: "field";
    entities: readonly string[];
    field: string;
    schema: z.ZodType;
    /**
     * Returns the value of the field, from the response of v5 and, if necessary, from the database record
     * from which the response was created.
     */
    from: (response: ResponseFields, record: unknown) => unknown;
  }>;

export type Deprecation = GoneEndpoint | NarrowedParameter | AddedField;

/** Returns the anchor of the explanation of a deprecation on the reference page. */
export const anchorOf = (name: string): string => `v5-${name.replaceAll("_", "-")}`;
