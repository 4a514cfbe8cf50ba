import { describe, expect, it } from "vitest";
import { ALL_SCOPES } from "@/access/scopes.ts";
import { conformance } from "@/testing/conformance.ts";
import { readClientUrl } from "../applications/client-url.ts";
import { documentState, freshSeconds, isJson, validateDocument } from "./rules.ts";
import { readClientDocument } from "./schema.ts";

const URL_TEXT = "https://agent.example/oauth/client.json";
const CALLBACK = "https://agent.example/callback";
const BASE_URL = new URL("https://id.example");
const HOUR_LATER = { expires: "Sat, 21 Nov 2026 13:00:00 GMT" };

describe("readClientUrl", () => {
  it.each([URL_TEXT, "https://agent.example:8443/client", "https://agent.example/a%20b"])(
    "readClientUrl accepts %s as the URL of a metadata document",
    (uid) => {
      expect(readClientUrl(uid, BASE_URL)?.href).toBe(uid);
    },
  );

  it.each([
    "https://agent.example",
    "https://agent.example/",
    "http://agent.example/client",
    "http://localhost/client",
    "https://AGENT.example/client",
    "https://agent.example:443/client",
    "https://agent.example/a/../client",
    "https://agent.example/client?a=b",
    "https://agent.example/client?",
    "https://agent.example/client#part",
    "https://user@agent.example/client",
    "https:///agent.example/client",
    "https://id.example/api/v4/projects/1/repository/files/client.json/raw",
    `https://agent.example/${"a".repeat(500)}`,
  ])(conformance("CD-10", "readClientUrl refuses %s as the URL of a metadata document"), (uid) => {
    expect(readClientUrl(uid, BASE_URL)).toBeNull();
  });

  it.each([
    ["http://localhost:8080/client", true],
    ["http://127.0.0.1:8080/client", true],
    ["http://localhost.example/client", false],
    ["http://10.0.0.1/client", false],
    ["http://localhost:3000/client", false],
  ])("on an instance that is served over http, readClientUrl accepts the URL %s: %s", (uid, expected) => {
    expect(readClientUrl(uid, new URL("http://localhost:3000")) !== null).toBe(expected);
  });
});

it.each([
  ["application/json", true],
  ["Application/JSON; charset=utf-8", true],
  ["application/vnd.client+json", true],
  ["text/plain", false],
  ["text/json", false],
  ["application/jsonp", false],
  ["application/octet-stream; a=application/json", false],
  ["", false],
])(
  conformance("CD-09", "isJson returns whether the media type %s is allowed for a metadata document: %s"),
  (type, expected) => {
    expect(isJson(new Headers({ "content-type": type }))).toBe(expected);
  },
);

describe("validateDocument", () => {
  const validated = (members: object) => {
    const json = { client_id: URL_TEXT, redirect_uris: [CALLBACK], ...members };
    const document = readClientDocument(Buffer.from(JSON.stringify(json)));
    return (
      document &&
      validateDocument(document, new URL(URL_TEXT), { instanceNames: ["id.example"], plainHttp: false })
    );
  };

  it(
    conformance("CD-03", "validateDocument accepts a metadata document, and ignores unknown members"),
    () => {
      const redirect_uris = [CALLBACK, "http://127.0.0.1/cb", "http://localhost:7777/cb"];
      expect(validated({ client_name: "Agent", redirect_uris, logo_uri: 5, tos: {} })).toEqual({
        client: {
          ...{ clientName: "Agent", redirectUris: redirect_uris, scopes: ALL_SCOPES },
          backchannelLogout: { uri: null, sessionRequired: false },
          authentication: { method: null, jwks: null, jwksUri: null },
        },
      });
    },
  );

  it.each([
    ["https://agent.example/logout", "https://agent.example/logout"],
    ["https://other.example/logout", null],
    ["http://agent.example/logout", null],
    [7, null],
  ])(
    conformance(
      "BL-07",
      "validateDocument uses the backchannel_logout_uri %j only if the URI is on the origin of the metadata document",
    ),
    (value, uri) => {
      expect(validated({ backchannel_logout_uri: value })).toMatchObject({
        client: { backchannelLogout: { uri } },
      });
    },
  );

  it(
    conformance(
      "CD-08",
      "validateDocument reads the public keys in a metadata document, or the URL of the keys",
    ),
    () => {
      const token_endpoint_auth_method = "private_key_jwt";
      const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", x: "AAAA", kid: "a" }] };
      expect(validated({ token_endpoint_auth_method, jwks })).toMatchObject({
        client: {
          authentication: {
            method: "private_key_jwt",
            jwks: expect.stringContaining('"kid":"a"'),
            jwksUri: null,
          },
        },
      });
      const jwks_uri = "https://keys.example/jwks";
      expect(validated({ token_endpoint_auth_method, jwks_uri })).toMatchObject({
        client: { authentication: { method: "private_key_jwt", jwks: null, jwksUri: jwks_uri } },
      });
    },
  );

  const publicKey = { kty: "OKP", crv: "Ed25519", x: "AAAA" };
  it.each<[string, object]>([
    ["no keys", {}],
    ["keys and their URL", { jwks: { keys: [publicKey] }, jwks_uri: "https://agent.example/jwks" }],
    ["a private key", { jwks: { keys: [{ ...publicKey, d: "AAAA" }] } }],
    ["an http URL of its keys", { jwks_uri: "http://agent.example/jwks" }],
    ["an http URL of its keys on this computer", { jwks_uri: "http://localhost/jwks" }],
    ["keys that are no JWK Set", { jwks: [publicKey] }],
  ])(
    conformance("CD-08", "validateDocument refuses a metadata document with private_key_jwt and with %s"),
    (_kind, members) => {
      expect(validated({ token_endpoint_auth_method: "private_key_jwt", ...members })).toHaveProperty(
        "problem",
      );
    },
  );

  it(
    conformance(
      "CD-04",
      "validateDocument omits redirect URIs with custom schemes, and web redirect URIs whose origin differs from the origin of the metadata document",
    ),
    () => {
      const redirect_uris = [
        "https://other.example/callback",
        "https://agent.example:8443/callback",
        "http://agent.example/callback",
        "com.example.agent:/callback",
        "urn:ietf:wg:oauth:2.0:oob",
        CALLBACK,
      ];
      expect(validated({ redirect_uris })).toMatchObject({ client: { redirectUris: [CALLBACK] } });
    },
  );

  it("validateDocument omits the unknown scopes of a metadata document", () => {
    expect(validated({ scope: "mcp offline_access repo:all" })).toMatchObject({
      client: { scopes: ["mcp"] },
    });
  });

  it.each([["Gatehouse Login"], ["a\u202eb"], [""], [7]])(
    "validateDocument does not use the name %j of a metadata document",
    (client_name) => {
      expect(validated({ client_name })).toMatchObject({ client: { clientName: null } });
    },
  );

  it.each([
    ["another client_id", { client_id: "https://agent.example/oauth/other.json" }],
    ["a client secret", { client_secret: "secret" }],
    ["an expiry of a client secret", { client_secret_expires_at: 0 }],
    ["client_secret_basic", { token_endpoint_auth_method: "client_secret_basic" }],
    ["client_secret_jwt", { token_endpoint_auth_method: "client_secret_jwt" }],
    ["only foreign redirect URIs", { redirect_uris: ["https://other.example/callback"] }],
    ["no known scope", { scope: "repo:all" }],
  ])(conformance("CD-02", "validateDocument refuses a metadata document with %s"), (_kind, members) => {
    expect(validated(members)).toHaveProperty("problem");
  });

  it.each(["", "[]", "null", '{"client_id":1}', '{"client_id":"https://a.example/b"}', "\xff"])(
    "readClientDocument refuses the text %j as a metadata document",
    (text) => {
      expect(readClientDocument(Buffer.from(text, "latin1"))).toBeNull();
    },
  );
});

it.each([
  ["no header", {}, 300],
  ["a short max-age", { "cache-control": "max-age=10" }, 300],
  ["a max-age", { "cache-control": "public, max-age=3600" }, 3600],
  ["a max-age and an Age", { "cache-control": "max-age=3600", age: "600" }, 3000],
  ["a long max-age", { "cache-control": "max-age=999999999" }, 86_400],
  ["no-store", { "cache-control": "no-store, max-age=3600" }, 300],
  ["no-cache", { "cache-control": "no-cache, max-age=3600" }, 300],
  ["private", { "cache-control": "private, max-age=3600" }, 300],
  ["an s-maxage after a max-age", { "cache-control": "max-age=3600, s-maxage=7200" }, 7200],
  ["an s-maxage before a max-age", { "cache-control": "S-MaxAge=1800, max-age=3600" }, 1800],
  ["an s-maxage and an Age", { "cache-control": "s-maxage=7200", age: "7000" }, 300],
  ["a quoted s-maxage", { "cache-control": 's-maxage="900"' }, 900],
  ["an invalid s-maxage", { "cache-control": "s-maxage=soon, max-age=3600" }, 300],
  ["an s-maxage without a value", { "cache-control": "s-maxage, max-age=3600" }, 300],
  ["a very long max-age", { "cache-control": "max-age=99999999999" }, 86_400],
  ["an Expires", HOUR_LATER, 3600],
  ["an Expires and a Date", { ...HOUR_LATER, date: "Sat, 21 Nov 2026 12:30:00 GMT" }, 1800],
  ["an Expires and an Age", { ...HOUR_LATER, age: "600" }, 3000],
  ["an Expires and a max-age", { ...HOUR_LATER, "cache-control": "max-age=1200" }, 1200],
  ["an Expires and no-store", { ...HOUR_LATER, "cache-control": "no-store" }, 300],
  ["an Expires in the past", { expires: "Sat, 21 Nov 2026 11:00:00 GMT" }, 300],
  ["an Expires after a month", { expires: "Mon, 21 Dec 2026 12:00:00 GMT" }, 86_400],
  ["an Expires that is not a date", { expires: "0" }, 300],
])(
  conformance("CD-05", "freshSeconds limits the time for which a metadata document with %s is used"),
  (_kind, headers, expected) => {
    expect(freshSeconds(new Headers(headers), new Date("2026-11-21T12:00:00Z"))).toBe(expected);
  },
);

it("documentState allows a stale metadata document for a day while the server of the document does not respond", () => {
  const fetchedAt = new Date("2026-11-21T12:00:00Z");
  const stored = { fetchedAt, freshUntil: new Date("2026-11-21T12:05:00Z") };
  expect(documentState(stored, new Date("2026-11-21T12:04:59Z"))).toBe("fresh");
  expect(documentState(stored, new Date("2026-11-21T12:05:00Z"))).toBe("stale");
  expect(documentState(stored, new Date("2026-11-22T12:00:00Z"))).toBe("outdated");
});
