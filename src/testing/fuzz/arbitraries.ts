import fc from "fast-check";
import { MARKER, VALID_FORMS } from "./valid-requests.ts";

/** Valid and invalid encodings of a parameter. */
export const ENCODINGS = ["percent", "none", "twice", "broken", "bytes", "overlong"] as const;

const words = (text: string): readonly string[] => text.split(" ");

const KNOWN = [
  ...new Set(Object.values(VALID_FORMS).flatMap((forms) => forms.flatMap(Object.keys))),
  ...words("scope max_age acr_values claims login_hint request request_uri private_token ui_locales"),
];

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 1, arbitrary: fc.constantFrom(...KNOWN).map((parameter) => `${parameter}[]`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...words("__proto__ constructor client_id[not] toString"), "", MARKER),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);

const LIVE = Object.values(VALID_FORMS).flatMap((forms) => forms.flatMap((form) => Object.values(form)));
const ODD = [
  ...words(
    "-1 0 1e309 99999999999999999999 NaN true null % %00 api API read_user S256 plain token fragment none",
  ),
  ...words(
    "select_account deny report a.b.c eyJhbGciOiJub25lIn0.e30. urn:ietf:wg:oauth:2.0:oob {{7*7}} ' --",
  ),
  ...words(
    "https://evil.example/ //evil.example javascript:alert(1) http://127.0.0.1:80@evil.example/ /../..",
  ),
  ...["", " ", "a\tb", "\0", "a\0b", "\ud800", "\u2028", "\u202ecod", "e\u0301", "\r\nset-cookie: fz=1"],
  ...["[object Object]", '{"not":null}', "openid profile email", "code id_token", "login consent"],
  ...['{"id_token":{"acr":{"essential":true,"values":["phr"]}}}', '{"userinfo":{"email":null}}'],
  ...["x".repeat(5_000), "\u00e9".repeat(3_000)],
];

export const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LIVE) },
  { weight: 3, arbitrary: fc.constant(MARKER) },
  { weight: 4, arbitrary: fc.constantFrom(...ODD) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
);

export const encoding = fc.oneof(
  { weight: 12, arbitrary: fc.constant("percent" as const) },
  { weight: 3, arbitrary: fc.constantFrom(...ENCODINGS) },
);

export const pair = fc.record({ name, value, encoding });

/** A value of a request header. The class `Headers` accepts more values than HTTP allows. */
const headerText = fc
  .array(fc.integer({ min: 1, max: 255 }), { maxLength: 40 })
  .map((bytes) => String.fromCharCode(...bytes.filter((byte) => byte !== 10 && byte !== 13)));

const AUTHORIZATIONS = [
  ...["Bearer {access_token}", "bearer  {access_token}", "Bearer {refresh_token}", "Bearer", "Digest x"],
  ...["Basic {basic}", "basic {basic}", "Basic", "Basic !!!", "Basic Og==", "Basic AAAA", `Bearer ${MARKER}`],
  ...[
    "Basic {basic}, Bearer {access_token}",
    "Bearer {access_token}, Bearer x",
    `Bearer ${"x".repeat(9_000)}`,
  ],
];

export const header = fc.oneof(
  fc.tuple(fc.constant("authorization"), fc.oneof(fc.constantFrom(...AUTHORIZATIONS), headerText)),
  fc.tuple(fc.constant("cookie"), fc.oneof({ weight: 3, arbitrary: fc.constant("{cookie}") }, headerText)),
  fc.tuple(
    fc.constant("origin"),
    fc.constantFrom("http://localhost:3000", "https://evil.example", "null", MARKER),
  ),
  fc.tuple(fc.constant("sec-fetch-site"), fc.constantFrom("same-origin", "cross-site", "none", "x")),
  fc.tuple(
    fc.constantFrom("access-control-request-headers", "accept", "accept-language", "if-none-match", "dpop"),
    headerText,
  ),
  fc.tuple(fc.constant("content-length"), fc.constantFrom("0", "-1", "1", "99999999", "x")),
  fc.tuple(fc.constant("x-client-address"), fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1", "x")),
);
