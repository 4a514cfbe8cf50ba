import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { type ApplicationDraft, type ApplicationField, validateApplication } from "./rules.ts";
import { readApplicationForm } from "./schema.ts";

const GOOD: ApplicationDraft = {
  name: "Client",
  redirectUris: "https://app.example/cb",
  scopes: ["read_user"],
  confidential: true,
  requiresPkce: false,
  allowsPassword: true,
};

const validate = (changes: Partial<ApplicationDraft>, plainHttp = false) =>
  validateApplication({ ...GOOD, ...changes }, plainHttp);

function problemsOf(
  changes: Partial<ApplicationDraft>,
  plainHttp = false,
): Record<string, readonly string[]> {
  const validation = validate(changes, plainHttp);
  return "problems" in validation ? { ...validation.problems } : {};
}

describe("validateApplication", () => {
  it(
    conformance(
      "AP-01",
      "validateApplication removes surrounding spaces, duplicates and empty lines from the values of an application form",
    ),
    () => {
      const draft = {
        name: "  Client ",
        redirectUris: "\r\n https://app.example/cb \n\ncom.example.app:/cb\rhttps://app.example/cb\n",
        scopes: ["read_user", "api", "read_user"],
        confidential: false,
        requiresPkce: true,
        allowsPassword: false,
      };
      expect(validate(draft)).toEqual({
        input: {
          name: "Client",
          redirectUris: ["https://app.example/cb", "com.example.app:/cb"],
          scopes: ["read_user", "api"],
          confidential: false,
          requiresPkce: true,
          allowsPassword: false,
          authentication: { method: null, jwks: null, jwksUri: null },
          clientCredentialsScopes: [],
        },
      });
    },
  );

  it.each<[string, ApplicationField, Partial<ApplicationDraft>]>([
    ["no name", "name", { name: "" }],
    ["a name of spaces", "name", { name: "  \t " }],
    ["a name of ten thousand letters", "name", { name: "a".repeat(10_000) }],
    ["a name with a newline", "name", { name: "a\nb" }],
    ["a name with U+0000", "name", { name: "a\0b" }],
    ["a name with a character that reverses the text direction", "name", { name: "evil\u202etnioP" }],
    ["a name with a character that isolates the text direction", "name", { name: "evil\u2066x" }],
    ["no redirect URI", "redirectUris", { redirectUris: "" }],
    ["empty lines", "redirectUris", { redirectUris: "\n \n" }],
    ["51 redirect URIs", "redirectUris", { redirectUris: "https://app.example/cb\n".repeat(51) }],
    ["no scope", "scopes", { scopes: [] }],
    ["an unknown scope", "scopes", { scopes: ["read_user", "sudo"] }],
    ["a scope in capitals", "scopes", { scopes: ["API"] }],
    ["a scope named like a property of Object.prototype", "scopes", { scopes: ["constructor"] }],
    ["no choice of type", "confidential", { confidential: null }],
  ])(
    conformance(
      "AP-04",
      "AP-05",
      "validateApplication refuses an application with %s, and reports an error at the field %s",
    ),
    (_what, field, changes) => {
      expect(Object.keys(problemsOf(changes))).toEqual([field]);
    },
  );

  it(
    conformance(
      "RU-04",
      "validateApplication reports the line number of each invalid redirect URI, and accepts no redirect URI if one of them is invalid",
    ),
    () => {
      const redirectUris = "https://app.example/cb\n\njavascript:alert(1)\nhttps://app.example/#x";
      expect(problemsOf({ redirectUris })).toEqual({
        redirectUris: [
          expect.stringMatching(/^Line 3 .*javascript/),
          expect.stringMatching(/^Line 4 .*fragment/),
        ],
      });
    },
  );

  it("validateApplication reports all invalid fields together", () => {
    const draft = { name: "", redirectUris: "x", scopes: [], confidential: null };
    expect(Object.keys(problemsOf(draft)).toSorted()).toEqual([
      "confidential",
      "name",
      "redirectUris",
      "scopes",
    ]);
  });

  it(
    conformance(
      "RU-05",
      "validateApplication allows http redirect URIs only if http redirect URIs are enabled",
    ),
    () => {
      const redirectUris = "http://app.example/cb";
      expect(problemsOf({ redirectUris }, true)).toEqual({});
      expect(Object.keys(problemsOf({ redirectUris }, false))).toEqual(["redirectUris"]);
    },
  );

  it(
    conformance(
      "AP-05",
      "validateApplication accepts an application name with HTML, and does not change the name",
    ),
    () => {
      expect(validate({ name: "<script>alert(1)</script>" })).toMatchObject({
        input: { name: "<script>alert(1)</script>" },
      });
    },
  );
});

const EMPTY: ApplicationDraft = {
  name: "",
  redirectUris: "",
  scopes: [],
  confidential: null,
  requiresPkce: false,
  allowsPassword: false,
  clientCredentialsScopes: [],
  revokesUncovered: false,
  requiresPushedRequests: false,
  requiresDpop: false,
  authentication: { method: "", jwks: "", jwksUri: "" },
};

describe("readApplicationForm", () => {
  it(
    conformance(
      "AT-42",
      "readApplicationForm reads the fields of the registration form, and ignores all other fields",
    ),
    () => {
      const form = new FormData();
      for (const [name, value] of [
        ["name", "Client"],
        ["redirect_uris", "https://app.example/cb"],
        ["confidential", "false"],
        ["scopes", "read_user"],
        ["scopes", "api"],
        ["requires_pkce", "true"],
        ["allows_password", "true"],
        ["revokes_uncovered", "true"],
        ["trusted", "true"],
        ["ownerId", "1"],
        ["uid", "mine"],
        ["secret", "mine"],
      ] as const)
        form.append(name, value);
      expect(readApplicationForm(form)).toEqual({
        name: "Client",
        redirectUris: "https://app.example/cb",
        scopes: ["read_user", "api"],
        confidential: false,
        requiresPkce: true,
        allowsPassword: true,
        requiresPushedRequests: false,
        requiresDpop: false,
        authentication: { method: "", jwks: "", jwksUri: "" },
        clientCredentialsScopes: [],
        revokesUncovered: true,
      });
    },
  );

  it(
    conformance("AP-01", "readApplicationForm returns no application type if the user selected no type"),
    () => {
      const form = new FormData();
      expect(readApplicationForm(form)).toEqual(EMPTY);
      form.set("confidential", "maybe");
      expect(readApplicationForm(form).confidential).toBeNull();
    },
  );

  it("readApplicationForm accepts a form in which a field contains a file", () => {
    const form = new FormData();
    for (const name of [
      "name",
      "redirect_uris",
      "confidential",
      "scopes",
      "requires_pkce",
      "allows_password",
    ])
      form.set(name, new Blob(["x"]));
    expect(readApplicationForm(form)).toEqual(EMPTY);
  });
});
