import { z } from "zod";
import {
  type Answer,
  type ApiVersion,
  DEPRECATIONS,
  type Deprecation,
  type DeprecationName,
  type GoneEndpoint,
  RELEASES,
  type Sent,
} from "./versions";

const ROWS = Object.entries(DEPRECATIONS);
const rowsOf = <Kind extends Deprecation["kind"]>(kind: Kind) =>
  ROWS.filter((row): row is [DeprecationName, Extract<Deprecation, { kind: Kind }>] => row[1].kind === kind);
const ENDPOINTS = rowsOf("endpoint");
const PARAMETERS = rowsOf("parameter");
const FIELDS = rowsOf("field");

/** An endpoint as far as the versions differ in it. */
export type Versioned = Readonly<{
  input?: z.ZodObject;
  entity: Readonly<{ name: string; schema: z.ZodType }> | null;
}>;

/** The path of a request below its version in one spelling, as a route answers any escapes and a final slash. */
export function askedOf(pathname: string): string {
  const path = pathname.slice("/api/v4".length);
  if (!path.includes("%") && !path.endsWith("/")) return path;
  return path.replace(/\/$/, "").split("/").map(inOneSpelling).join("/");
}

/** Its slashes stay escaped: they are part of the segment. */
function inOneSpelling(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** @returns the row by which v5 has no such path; null where both have it. */
export function goneIn5(path: string): Readonly<{ name: DeprecationName; row: GoneEndpoint }> | null {
  const found = ENDPOINTS.find(([, row]) => row.path.test(path));
  return found === undefined ? null : { name: found[0], row: found[1] };
}

/** @returns where the same is done now, as a path below the version. */
export const successorOf = ({ path, successor }: GoneEndpoint, asked: string): string =>
  asked.replace(path, successor);

const parametersOf = ({ input, entity }: Versioned) =>
  input === undefined
    ? []
    : PARAMETERS.filter(
        ([, { beside, entities }]) =>
          beside in input.shape && (entities?.includes(entity?.name ?? "") ?? true),
      );

const NO_FIELDS = z.object({});

/** A schema is compiled when it first reads something, so that each endpoint has one of its own for each version. */
const FIELDS_MADE = {
  v4: new WeakMap<Versioned, z.ZodObject>(),
  v5: new WeakMap<Versioned, z.ZodObject>(),
} as const satisfies Record<ApiVersion, unknown>;

/** What an endpoint accepts in a version. */
export function fieldsIn(version: ApiVersion, endpoint: Versioned): z.ZodObject {
  const made = FIELDS_MADE[version].get(endpoint) ?? makeFields(version, endpoint);
  FIELDS_MADE[version].set(endpoint, made);
  return made;
}

function makeFields(version: ApiVersion, endpoint: Versioned): z.ZodObject {
  const { input = NO_FIELDS } = endpoint;
  const changed = parametersOf(endpoint).flatMap(([, { parameter, takes }]) => {
    const schema = takes[version];
    return schema === undefined ? [] : [[parameter, schema] as const];
  });
  return changed.length === 0 ? input : input.safeExtend(Object.fromEntries(changed));
}

/** @returns the parameters in words of v5, and the rows of which a request in v4 made use. */
export function translated(
  version: ApiVersion,
  endpoint: Versioned,
  sent: Sent,
): Readonly<{ sent: Sent; used: readonly DeprecationName[] }> {
  if (version === "v5") return { sent, used: [] };
  const used = parametersOf(endpoint).filter(([, row]) => row.isUsed(sent));
  return {
    sent: used.reduce((wish, [, row]) => row.inV5(wish), sent),
    used: used.map(([name]) => name),
  };
}

const fieldsOf = (entity: Versioned["entity"]) =>
  entity === null ? [] : FIELDS.filter(([, { entities }]) => entities.includes(entity.name));

/** @returns the rows that an answer of v4 carries, whatever is in it. */
export const carriedBy = (version: ApiVersion, { entity }: Versioned): readonly DeprecationName[] =>
  version === "v5" ? [] : fieldsOf(entity).map(([name]) => name);

/**
 * An answer as a version has it, from how v5 has it.
 * @param thing that the answer tells of.
 */
export function answerIn<Value>(
  version: ApiVersion,
  { entity }: Versioned,
  answer: Value,
  thing: unknown,
): Value {
  if (version === "v5" || typeof answer !== "object" || answer === null) return answer;
  const rows = fieldsOf(entity);
  if (rows.length === 0) return answer;
  const added = rows.map(([, { field, from }]) => [field, from(answer as Answer, thing)] as const);
  return Object.assign({}, answer, Object.fromEntries(added));
}

/** What comes back in a version. */
export function schemaIn(version: ApiVersion, entity: NonNullable<Versioned["entity"]>): z.ZodType {
  const rows = version === "v5" ? [] : fieldsOf(entity);
  if (rows.length === 0 || !(entity.schema instanceof z.ZodObject)) return entity.schema;
  const added = rows.map(([, { field, schema }]) => [field, schema.meta({ deprecated: true })] as const);
  return entity.schema.safeExtend(Object.fromEntries(added));
}

/** The parameters of an endpoint that v4 alone takes. */
export const deprecatedParameters = (endpoint: Versioned): readonly string[] =>
  parametersOf(endpoint).flatMap(([, { parameter }]) =>
    endpoint.input !== undefined && parameter in endpoint.input.shape ? [] : [parameter],
  );

/** The place on the reference page where a row is explained. */
export const anchorOf = (name: DeprecationName): string => `v5-${name.replaceAll("_", "-")}`;

/**
 * What tells a client that it used, or was sent, what v5 has not: `Deprecation` (RFC 9745) with the day since when, and
 * links to what is said of it and to what replaces it.
 * @param names of rows, each once.
 * @param path that was asked for, below the version.
 */
export function deprecationHeaders(
  issuer: string,
  names: readonly DeprecationName[],
  path: string,
): Readonly<{ deprecation: string; links: readonly string[] }> | null {
  const rows = names.flatMap((name) => {
    const row = DEPRECATIONS[name];
    return row === undefined ? [] : [{ name, row }];
  });
  if (rows.length === 0) return null;
  const since = Math.min(...rows.map(({ row }) => Date.parse(`${RELEASES[row.since]}T00:00:00Z`)));
  return {
    deprecation: `@${since / 1000}`,
    links: rows.flatMap(({ name, row }) => [
      `<${issuer}/help/api#${anchorOf(name)}>; rel="deprecation"; type="text/html"`,
      ...(row.kind === "endpoint"
        ? [`<${issuer}/api/v4${successorOf(row, path)}>; rel="successor-version"`]
        : []),
    ]),
  };
}
