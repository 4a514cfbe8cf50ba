import { z } from "zod";
import { type ApiError, notInV5 } from "./errors";
import {
  type ApiVersion,
  anchorOf,
  type Deprecation,
  type GoneEndpoint,
  RELEASES,
  type RequestFields,
  type ResponseFields,
} from "./versions";

/** The parts of an endpoint that may differ between the versions of the API. */
export type Versioned = Readonly<{
  input?: z.ZodObject;
  entity: Readonly<{ name: string; schema: z.ZodType }> | null;
}>;

/**
 * Normalizes the path of a request and removes its version prefix. Normalization is necessary because routes
 * also match paths with percent escapes or with a trailing slash.
 */
export function normalizedPathOf(pathname: string): string {
  const path = pathname.slice("/api/v4".length);
  if (!path.includes("%") && !path.endsWith("/")) return path;
  return path.replace(/\/$/, "").split("/").map(canonicalSegment).join("/");
}

/**
 * Returns a path segment without unnecessary percent escapes. Escaped slashes stay escaped, because they are
 * part of a segment.
 */
function canonicalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** @returns the path of the replacement, without the version prefix. */
const successorOf = ({ path, successor }: GoneEndpoint, requestedPath: string): string =>
  requestedPath.replace(path, successor);

const NO_FIELDS = z.object({});

/** The differences between the versions of the API, which are computed from the tables of deprecations. */
export type VersionTable<Name extends string = string> = Readonly<{
  /** Returns the deprecation that removes a path from v5; null for a path that both versions have. */
  goneIn5: (path: string) => Readonly<{ name: Name; row: GoneEndpoint }> | null;
  /** Returns the error for a path that the version does not have; null for a path that the version has. */
  removedPath: (version: ApiVersion, path: string) => ApiError | null;
  /** Returns the parameters of an endpoint in a version. */
  fieldsIn: (version: ApiVersion, endpoint: Versioned) => z.ZodObject;
  /**
   * Translates the parameters of a request to v5, and returns the names of the deprecations that apply to the
   * v4 request.
   */
  translated: (
    version: ApiVersion,
    endpoint: Versioned,
    sent: RequestFields,
  ) => Readonly<{ sent: RequestFields; used: readonly Name[] }>;
  /** Returns the names of the deprecations that apply to every v4 response with the entity of an endpoint. */
  carriedBy: (version: ApiVersion, endpoint: Versioned) => readonly Name[];
  /**
   * Converts a v5 response to the given version.
   * @param record the database record from which the response was created.
   */
  responseIn: <Value>(version: ApiVersion, endpoint: Versioned, response: Value, record: unknown) => Value;
  /** Returns the schema of a response in a version. */
  schemaIn: (version: ApiVersion, entity: NonNullable<Versioned["entity"]>) => z.ZodType;
  /** Returns the parameters of an endpoint that only v4 accepts. */
  deprecatedParameters: (endpoint: Versioned) => readonly string[];
  /**
   * Returns the headers about the deprecated parts of a request and of its response. The header `Deprecation`
   * (RFC 9745) contains the day of the deprecation. The header `Link` contains links to the explanation and
   * to the replacement. The result is null when the request and the response have no deprecated parts.
   * @param names the names of the deprecations, each once.
   * @param path the path of the request, without the version prefix.
   */
  deprecationHeaders: (
    issuer: string,
    names: readonly Name[],
    path: string,
  ) => Readonly<{ deprecation: string; links: readonly string[] }> | null;
}>;

/**
 * Returns the functions that apply the differences between the versions. No other module depends on the
 * differences between the versions.
 */
export function versionTable<Name extends string>(
  table: Readonly<Record<Name, Deprecation>>,
): VersionTable<Name> {
  const isName = (name: string): name is Name => Object.hasOwn(table, name);
  const names = Object.keys(table).filter(isName);
  const rowsOf = <Kind extends Deprecation["kind"]>(kind: Kind) =>
    names
      .map((name): [Name, Deprecation] => [name, table[name]])
      .filter((row): row is [Name, Extract<Deprecation, { kind: Kind }>] => row[1].kind === kind);
  const endpoints = rowsOf("endpoint");
  const parameters = rowsOf("parameter");
  const fields = rowsOf("field");

  const parametersOf = ({ input, entity }: Versioned) =>
    input === undefined
      ? []
      : parameters.filter(
          ([, { beside, entities }]) =>
            beside in input.shape && (entities?.includes(entity?.name ?? "") ?? true),
        );
  const fieldsOf = (entity: Versioned["entity"]) =>
    entity === null ? [] : fields.filter(([, { entities }]) => entities.includes(entity.name));

  /**
   * Each endpoint stores one schema for each version, because a schema is compiled when it parses its first
   * value.
   */
  const fieldsMade = {
    v4: new WeakMap<Versioned, z.ZodObject>(),
    v5: new WeakMap<Versioned, z.ZodObject>(),
  } as const satisfies Record<ApiVersion, unknown>;

  function makeFields(version: ApiVersion, endpoint: Versioned): z.ZodObject {
    const { input = NO_FIELDS } = endpoint;
    const changed = parametersOf(endpoint).flatMap(([, { parameter, takes }]) => {
      const schema = takes[version];
      return schema === undefined ? [] : [[parameter, schema] as const];
    });
    return changed.length === 0 ? input : input.safeExtend(Object.fromEntries(changed));
  }

  const goneIn5: VersionTable<Name>["goneIn5"] = (path) => {
    const match = endpoints.find(([, row]) => row.path.test(path));
    return match === undefined ? null : { name: match[0], row: match[1] };
  };

  return {
    goneIn5,
    removedPath(version, path) {
      const gone = version === "v5" ? goneIn5(path) : null;
      return gone && notInV5(successorOf(gone.row, path), gone.row.instead);
    },
    fieldsIn(version, endpoint) {
      const fields = fieldsMade[version].get(endpoint) ?? makeFields(version, endpoint);
      fieldsMade[version].set(endpoint, fields);
      return fields;
    },
    translated(version, endpoint, sent) {
      if (version === "v5") return { sent, used: [] };
      const used = parametersOf(endpoint).filter(([, row]) => row.isUsed(sent));
      return {
        sent: used.reduce((wish, [, row]) => row.inV5(wish), sent),
        used: used.map(([name]) => name),
      };
    },
    carriedBy: (version, { entity }) => (version === "v5" ? [] : fieldsOf(entity).map(([name]) => name)),
    responseIn(version, { entity }, response, record) {
      if (version === "v5" || typeof response !== "object" || response === null) return response;
      const rows = fieldsOf(entity);
      if (rows.length === 0) return response;
      const added = rows.map(
        ([, { field, from }]) => [field, from(response as ResponseFields, record)] as const,
      );
      return Object.assign({}, response, Object.fromEntries(added));
    },
    schemaIn(version, entity) {
      const rows = version === "v5" ? [] : fieldsOf(entity);
      if (rows.length === 0 || !(entity.schema instanceof z.ZodObject)) return entity.schema;
      const added = rows.map(([, { field, schema }]) => [field, schema.meta({ deprecated: true })] as const);
      return entity.schema.safeExtend(Object.fromEntries(added));
    },
    deprecatedParameters: (endpoint) =>
      parametersOf(endpoint).flatMap(([, { parameter }]) =>
        endpoint.input !== undefined && parameter in endpoint.input.shape ? [] : [parameter],
      ),
    deprecationHeaders(issuer, used, path) {
      if (used.length === 0) return null;
      const rows = used.map((name) => ({ name, row: table[name] }));
      const since = Math.min(...rows.map(({ row }) => Date.parse(`${RELEASES[row.since].date}T00:00:00Z`)));
      return {
        deprecation: `@${since / 1000}`,
        links: rows.flatMap(({ name, row }) => [
          `<${issuer}/help/api#${anchorOf(name)}>; rel="deprecation"; type="text/html"`,
          ...(row.kind === "endpoint"
            ? [`<${issuer}/api/v4${successorOf(row, path)}>; rel="successor-version"`]
            : []),
        ]),
      };
    },
  };
}
