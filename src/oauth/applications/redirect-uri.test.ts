import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { redirectTarget, redirectUriMatches, redirectUriProblem, withParameters } from "./redirect-uri.ts";

const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

describe("registering a redirect URI", () => {
  it.each([
    "https://app.example",
    "https://app.example/",
    "https://app.example/cb",
    "https://app.example/cb?x=1&y=a%20b",
    "https://app.example:8443/cb",
    "https://[2001:db8::1]/cb",
    "http://127.0.0.1/cb",
    "http://127.0.0.1:51234/cb",
    "http://[::1]/cb",
    "http://localhost/cb",
    "com.example.app:/cb",
    "com.example.app://cb",
    "myapp:/",
    OUT_OF_BAND,
  ])(conformance("RU-01", "the redirect URI %s can be registered on http and https instances"), (uri) => {
    expect(redirectUriProblem(uri, false)).toBeNull();
    expect(redirectUriProblem(uri, true)).toBeNull();
  });

  it.each([
    "",
    "/callback",
    "callback",
    "app.example/cb",
    "//app.example/cb",
    "localhost:80",
    "localhost:80/cb",
    "127.0.0.1:8080",
    "127.0.0.1:8080/cb",
    "https://",
    "https:///cb",
    "https:/cb",
    "https:cb",
    "https://?x=1",
    "https://:443/cb",
    "https://app.example/cb#",
    "https://app.example/cb#fragment",
    "https://app.example/c b",
    " https://app.example/cb",
    "https://app.example/cb\n",
    "https://app.example/cb\r\nhttps://evil.example/",
    "https://app.example/\tcb",
    "https://app.example/\0cb",
    "https://app.example/]",
    "https://app.example/cb?x=]",
    "https://app.example]/cb",
    "com.example.app:/cb]",
    "https://app.example\\evil.example/cb",
    "https://app.example/<script>",
    "https://app.example/é",
    "https://*.app.example/cb",
    "https://app.example/*",
    "com.example.app:cb",
    "urn:ietf:wg:oauth:2.0:oob:auto",
    `https://app.example/${"a".repeat(2_048)}`,
  ])(conformance("RU-02", "the redirect URI %j cannot be registered"), (uri) => {
    expect(redirectUriProblem(uri, true)).toEqual(expect.any(String));
    expect(redirectUriProblem(uri, false)).toEqual(expect.any(String));
  });

  it.each(["javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source"])(
    conformance(
      "RU-03",
      "AT-34",
      "a redirect URI with the scheme %s cannot be registered, regardless of letter case",
    ),
    (scheme) => {
      for (const uri of [
        scheme,
        scheme.toUpperCase(),
        scheme.replace(/^./, (letter) => letter.toUpperCase()),
      ])
        for (const rest of ["alert(1)", "/cb", "//app.example/cb", "//app.example/%0aalert(1)"])
          expect(redirectUriProblem(`${uri}:${rest}`, true)).toEqual(expect.any(String));
    },
  );

  it.each([
    "http://app.example/cb",
    "http://192.168.0.1/cb",
    "http://127.0.0.1.evil.example/cb",
    "HTTP://app.example/",
  ])(
    conformance(
      "RU-05",
      "the http redirect URI %s cannot be registered on an https instance, but can be registered on an http instance",
    ),
    (uri) => {
      expect(redirectUriProblem(uri, false)).toEqual(expect.any(String));
      expect(redirectUriProblem(uri, true)).toBeNull();
    },
  );

  it.each([
    "http://127.0.0.1:80@evil.example/cb",
    "http://a@127.0.0.1/cb",
    "https://app.example@evil.example/cb",
    "https://user:password@app.example/cb",
    "http://127.1/cb",
    "http://2130706433/cb",
    "http://0x7f000001/cb",
    "http://[::ffff:127.0.0.1]/cb",
    "https://app.example:99999/cb",
  ])(
    conformance("RU-09", "the redirect URI %s cannot be registered, because its host is misleading"),
    (uri) => {
      expect(redirectUriProblem(uri, false)).toEqual(expect.any(String));
      expect(redirectUriProblem(uri, true)).toEqual(expect.any(String));
    },
  );
});

describe("matching a redirect URI", () => {
  const REGISTERED = [
    "https://app.example/cb",
    "https://app.example/q?x=1&y=2",
    "com.example.app:/cb",
    OUT_OF_BAND,
  ];

  it.each(REGISTERED)(
    conformance("AZ-13", "an authorization request may contain the registered redirect URI %s"),
    (uri) => {
      expect(redirectUriMatches(REGISTERED, uri)).toBe(true);
    },
  );

  it.each<[string, string]>([
    ["another path", "https://app.example/other"],
    ["a longer path", "https://app.example/cb/more"],
    ["a trailing slash", "https://app.example/cb/"],
    ["dot segments", "https://app.example/x/../cb"],
    ["an escaped letter", "https://app.example/%63b"],
    ["an extra query", "https://app.example/cb?x=1"],
    ["an empty query", "https://app.example/cb?"],
    ["an additional query parameter", "https://app.example/q?x=1&y=2&z=3"],
    ["a missing query parameter", "https://app.example/q?x=1"],
    ["no query", "https://app.example/q"],
    ["another order of the query", "https://app.example/q?y=2&x=1"],
    ["http instead of https", "http://app.example/cb"],
    ["a subdomain", "https://sub.app.example/cb"],
    ["the domain as a prefix", "https://app.example.evil.example/cb"],
    ["a user name", "https://a@app.example/cb"],
    ["the host as a user name", "https://app.example@evil.example/cb"],
    ["a backslash", "https://evil.example\\@app.example/cb"],
    ["a second URI after a newline", "https://app.example/cb\nhttps://evil.example/"],
    ["a newline", "https://app.example/cb\n"],
    ["a space in front", " https://app.example/cb"],
    ["a fragment", "https://app.example/cb#x"],
    ["an empty fragment", "https://app.example/cb#"],
    ["the path in capitals", "https://app.example/CB"],
    ["another port of a host that is not loopback", "https://app.example:444/cb"],
    ["another custom scheme", "com.example.apps:/cb"],
    ["an empty string", ""],
  ])(
    conformance("RU-06", "a redirect URI that differs from every registered redirect URI is refused: %s"),
    (_what, uri) => {
      expect(redirectUriMatches(REGISTERED, uri)).toBe(false);
    },
  );

  it.each<[string, string]>([
    ["the host in capitals", "https://APP.example/cb"],
    ["the scheme in capitals", "HTTPS://app.example/cb"],
    ["the default port", "https://app.example:443/cb"],
  ])(
    conformance(
      "RU-07",
      "a redirect URI that differs by %s is refused, because redirect URIs are not normalized",
    ),
    (_what, uri) => {
      expect(redirectUriMatches(REGISTERED, uri)).toBe(false);
    },
  );

  it.each<[string, string]>([
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb"],
    ["http://127.0.0.1:8080/cb", "http://127.0.0.1:51234/cb"],
    ["http://127.0.0.1:8080/cb", "http://127.0.0.1/cb"],
    ["http://127.0.0.1/cb?x=1", "http://127.0.0.1:51234/cb?x=1"],
    ["http://127.0.0.1", "http://127.0.0.1:51234"],
    ["http://[::1]/cb", "http://[::1]:51234/cb"],
    ["http://localhost/cb", "http://localhost:51234/cb"],
  ])(
    conformance("RU-08", "RU-10", "the registered loopback redirect URI %s matches %s with another port"),
    (registered, uri) => {
      expect(redirectUriMatches([registered], uri)).toBe(true);
    },
  );

  it.each<[string, string]>([
    ["http://127.0.0.1/cb", "http://127.0.0.1:80@evil.example/cb"],
    ["http://127.0.0.1/cb", "http://a@127.0.0.1/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb"],
    ["http://127.0.0.1/cb", "http://127.1/cb"],
    ["http://127.0.0.1/cb", "http://2130706433/cb"],
    ["http://127.0.0.1/cb", "http://[::ffff:127.0.0.1]/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.2/cb"],
    ["http://127.0.0.1/cb", "http://localhost/cb"],
    ["http://localhost/cb", "http://127.0.0.1/cb"],
    ["http://localhost/cb", "http://localhost.evil.example/cb"],
    ["http://localhost/cb", "http://localhost:1@evil.example/cb"],
    ["http://127.0.0.1/cb", "http://[::1]/cb"],
    ["http://127.0.0.1/cb", "https://127.0.0.1:51234/cb"],
    ["https://127.0.0.1/cb", "https://127.0.0.1:51234/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb/"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb?x=1"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb#x"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:99999/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:x/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234\\@evil.example/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb\n"],
    ["http://app.example/cb", "http://app.example:51234/cb"],
  ])(
    conformance("RU-08", "RU-09", "the registered loopback redirect URI %s does not match %s"),
    (registered, uri) => {
      expect(redirectUriMatches([registered], uri)).toBe(false);
    },
  );

  it("every redirect URI is refused if no redirect URI is registered", () => {
    expect(redirectUriMatches([], "https://app.example/cb")).toBe(false);
    expect(redirectUriMatches([""], "https://app.example/cb")).toBe(false);
  });
});

describe("the response parameters in a redirect URI", () => {
  it.each<[string, string]>([
    ["https://app.example/cb", "https://app.example/cb?code=c&state=a%26b"],
    ["https://app.example/cb?x=1", "https://app.example/cb?x=1&code=c&state=a%26b"],
    ["https://app.example/cb?x=%20&y", "https://app.example/cb?x=%20&y&code=c&state=a%26b"],
    ["https://app.example/cb?state=own&x=1&code=own", "https://app.example/cb?x=1&code=c&state=a%26b"],
    ["https://app.example/cb?", "https://app.example/cb?code=c&state=a%26b"],
    ["com.example.app:/cb", "com.example.app:/cb?code=c&state=a%26b"],
  ])(
    conformance("AZ-05", "AZ-43", "the response parameters are added to the redirect URI %s"),
    (uri, expected) => {
      expect(withParameters(uri, { code: "c", state: "a&b", iss: undefined })).toBe(expected);
    },
  );

  it(
    conformance(
      "AZ-08",
      "AT-33",
      "response parameters cannot add a line break or a fragment to the redirect URI",
    ),
    () => {
      expect(withParameters("https://app.example/cb", { state: "\r\nX: 1#<é>" })).toBe(
        "https://app.example/cb?state=%0D%0AX%3A%201%23%3C%C3%A9%3E",
      );
    },
  );
});

describe(conformance("AZ-02", "the redirect target that the consent page shows"), () => {
  it.each<[string, ReturnType<typeof redirectTarget>]>([
    ["https://app.example/cb", { kind: "web", name: "app.example" }],
    ["https://www.app.example:8443/cb", { kind: "web", name: "app.example:8443" }],
    ["http://127.0.0.1:51234/cb", { kind: "computer", name: "" }],
    ["http://localhost/cb", { kind: "computer", name: "" }],
    ["com.example.app:/cb", { kind: "app", name: "com.example.app" }],
    [OUT_OF_BAND, { kind: "page", name: "" }],
  ])("redirectTarget returns the target of the redirect URI %s", (uri, expected) => {
    expect(redirectTarget(uri)).toEqual(expected);
  });
});
