/**
 * The parameters of a request: the values by name, without empty values, and the names that were sent more
 * than once.
 */
export type Parameters = Readonly<{
  values: ReadonlyMap<string, string>;
  repeated: ReadonlySet<string>;
  /** All names of parameters, including the names of parameters with an empty value. */
  names: ReadonlySet<string>;
  /** All parameters, in the order of the request. */
  pairs: readonly Pair[];
}>;

type Pair = readonly [name: string, value: string];

/** Raised for text that is not a parameter list. The error message contains the reason, for the log. */
export class Malformed extends Error {
  /** The name of the parameter whose value is not a string, as the client sent it; null for other errors. */
  readonly parameter: string | null;

  constructor(reason: string, parameter: string | null = null) {
    super(reason);
    this.parameter = parameter;
  }
}

/**
 * The maximum number of parameters in a request. The limit is larger than the number of parameters in any
 * valid request, and small enough for fast parsing.
 */
const PARAMETERS_MAX = 200;

/** The parameters of an empty string; most queries are empty. */
const NOTHING: Parameters = { values: new Map(), repeated: new Set(), names: new Set(), pairs: [] };

/**
 * Parses `application/x-www-form-urlencoded` text strictly: refuses an invalid percent escape, bytes that are
 * not UTF-8, and U+0000. `URLSearchParams` would not refuse invalid input. A parameter with an empty value
 * has no value in the result, but its name counts as sent.
 * @throws Malformed
 */
export function parseParameters(text: string): Parameters {
  if (text === "") return NOTHING;
  const pairs = text.split("&").filter((pair) => pair !== "");
  return collect(
    pairs.map((pair): Pair => {
      const at = pair.indexOf("=");
      return at === -1 ? [decode(pair), ""] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    }),
  );
}

/**
 * Parses a JSON object of strings and numbers, as in token requests with `application/json`. A JSON number is
 * returned as its original text.
 * @throws Malformed
 */
export function parseJsonParameters(text: string): Parameters {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Malformed("json");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Malformed("json_not_object");
  const members = new Map<string, unknown>(Object.entries(body));
  for (const [name, value] of members)
    if (typeof value !== "string" && typeof value !== "number")
      throw new Malformed("json_value_not_scalar", name);
  return collect(
    membersOf(text).map(({ name, number }) => {
      const value = members.get(name);
      if (typeof value === "string") return [name, value];
      if (typeof value !== "number" || number === undefined) throw new Malformed("json_value_not_scalar");
      return [name, number];
    }),
  );
}

/**
 * Returns the members of a flat JSON object with their original text, because `JSON.parse` hides repeated
 * names and rounds large numbers.
 */
const membersOf = (text: string): readonly Readonly<{ name: string; number: string | undefined }>[] =>
  [...text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:\s*)?(-?\d[\d.eE+-]*)?/g)].flatMap(([, name, colon, number]) =>
    colon === undefined ? [] : [{ name: String(JSON.parse(name ?? '""')), number }],
  );

/**
 * Parses a `multipart/form-data` body of text fields. The caller must limit the size of the body.
 * @throws Malformed for an invalid body, and for a body that contains a file.
 */
export async function parseMultipartParameters(body: string, contentType: string): Promise<Parameters> {
  const response = new Response(body, { headers: { "content-type": contentType } });
  const form = await response.formData().catch(() => {
    throw new Malformed("multipart");
  });
  return collect(
    [...form].map(([name, value]) => {
      if (typeof value !== "string") throw new Malformed("multipart_file");
      return [name, value];
    }),
  );
}

const SURROGATE = /\p{Surrogate}/u;

function collect(pairs: readonly Pair[]): Parameters {
  if (pairs.length > PARAMETERS_MAX) throw new Malformed("too_many_parameters");
  const values = new Map<string, string>();
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of pairs) {
    if (value.includes("\0") || SURROGATE.test(value)) throw new Malformed("character");
    if (names.has(name)) repeated.add(name);
    names.add(name);
    if (value !== "") values.set(name, value);
  }
  return { values, repeated, names, pairs };
}

/**
 * Returns whether any of `names` was sent with brackets, as in `scope[]` or `code[not]`, which other servers
 * parse as nested values.
 */
export function hasBrackets(parameters: Parameters, names: readonly string[]): boolean {
  for (const name of parameters.names)
    if (name.includes("[") && names.includes(name.split("[", 1)[0] ?? "")) return true;
  return false;
}

const ESCAPED = /[%+]/;

function decode(text: string): string {
  if (!ESCAPED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new Malformed("percent_encoding");
  }
}

/** Returns the query of a request target without `?`; an empty string when the request target has no query. */
export function queryOf(url: string): string {
  const at = url.indexOf("?");
  if (at === -1) return "";
  const end = url.indexOf("#", at);
  return url.slice(at + 1, end === -1 ? undefined : end);
}
