import fc from "fast-check";
import { type ENCODINGS, encoding, header, pair, value } from "./arbitraries.ts";
import { VALID_FORMS } from "./valid-requests.ts";

/** The endpoint of a fuzzed request. */
export type Target = Readonly<{ method: string; path: string }>;

/** A parameter: its name, its value and their encoding. */
type Pair = Readonly<{ name: string; value: string; encoding: (typeof ENCODINGS)[number] }>;

/**
 * A fuzzed request before it is sent. Names in braces, such as `{access_token}`, stand for valid values, so
 * that a counterexample is readable and can be reproduced in another run.
 */
export type FuzzedRequest = Readonly<{
  target: Target;
  query: readonly Pair[];
  body: readonly Pair[];
  format: (typeof FORMATS)[number];
  headers: readonly (readonly [string, string])[];
}>;

const FORMATS = ["form", "json", "odd_json", "text", "multipart", "untyped", "bytes", "large"] as const;

/** Returns the headers of the signed-in user's browser. Requests that end a session use a separate session. */
const browserHeaders = (path: string): readonly (readonly [string, string])[] => [
  ["cookie", path === "/oauth/end_session" ? "{leaving_cookie}" : "{cookie}"],
  ["origin", "http://localhost:3000"],
];

const FOR_BROWSERS = [
  "/oauth/authorize",
  "/oauth/consent",
  "/oauth/device",
  "/oauth/device/decision",
  "/oauth/end_session",
];

function headersFor(path: string): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const any = fc.array(header, { maxLength: 3 });
  if (!FOR_BROWSERS.includes(path)) return any;
  const usual = fc.oneof({ weight: 3, arbitrary: fc.constant(browserHeaders(path)) }, fc.constant([]));
  return fc.tuple(usual, any).map(([first, more]) => [...first, ...more]);
}

const format = fc.oneof(
  { weight: 14, arbitrary: fc.constant("form" as const) },
  { weight: 3, arbitrary: fc.constant("json" as const) },
  { weight: 2, arbitrary: fc.constantFrom(...FORMATS) },
);

/** Generates a flaw for a valid request: a changed, missing, repeated or additional parameter. */
const flaw = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("value" as const), at: fc.nat(), value, encoding }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("drop" as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("double" as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("add" as const), pair }) },
);
type Flaw = typeof flaw extends fc.Arbitrary<infer Value> ? Value : never;

function withFlaw(pairs: readonly Pair[], change: Flaw): readonly Pair[] {
  if (change.kind === "add") return [...pairs, change.pair];
  const index = pairs.length === 0 ? 0 : change.at % pairs.length;
  const pair = pairs[index];
  if (pair === undefined) return pairs;
  if (change.kind === "drop") return pairs.toSpliced(index, 1);
  if (change.kind === "double") return [...pairs, pair];
  return pairs.with(index, { name: pair.name, value: change.value, encoding: change.encoding });
}

const pairsOf = (form: Readonly<Record<string, string>>): readonly Pair[] =>
  Object.entries(form).map(([name, value]) => ({ name, value, encoding: "percent" as const }));

const validPairs = ({ path }: Target): readonly (readonly Pair[])[] =>
  (VALID_FORMS[path] ?? [{}]).map(pairsOf);

const inQuery = ({ method }: Target): boolean => method !== "POST";

/** Returns the valid requests to an endpoint, as a browser or a client sends them. */
export const validRequestsTo = (target: Target): readonly FuzzedRequest[] =>
  validPairs(target).map((pairs) => ({
    target,
    query: inQuery(target) ? pairs : [],
    body: inQuery(target) ? [] : pairs,
    format: "form",
    headers: FOR_BROWSERS.includes(target.path) ? browserHeaders(target.path) : [],
  }));

/**
 * Generates requests to an endpoint: valid requests, valid requests with up to three flaws, and random
 * parameters.
 */
export function requestsTo(target: Target): fc.Arbitrary<FuzzedRequest> {
  const flawed = fc
    .tuple(fc.constantFrom(...validPairs(target)), fc.array(flaw, { maxLength: 3 }))
    .map(([pairs, flaws]) => flaws.reduce(withFlaw, pairs));
  const pairs = fc.oneof(
    { weight: 5, arbitrary: flawed },
    { weight: 1, arbitrary: fc.array(pair, { maxLength: 6 }) },
  );
  const strays = fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(pair, { maxLength: 2 }));
  return fc.record({
    target: fc.constant(target),
    query: inQuery(target) ? pairs : strays,
    body: inQuery(target) ? fc.constant([]) : pairs,
    format: inQuery(target) ? fc.constant("form" as const) : format,
    headers: headersFor(target.path),
  });
}
