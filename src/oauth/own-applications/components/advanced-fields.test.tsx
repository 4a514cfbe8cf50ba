import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { FormContentProvider } from "@/ui/form-fields.tsx";
import type { ApplicationDraft, ApplicationProblems } from "../../applications/rules.ts";
import { AdvancedFields } from "./advanced-fields.tsx";
import { fieldValuesOf } from "./application-form-state.tsx";

const DRAFT: ApplicationDraft = {
  name: "CI",
  redirectUris: "https://ci.example/callback",
  scopes: ["read_user"],
  confidential: true,
  requiresPkce: false,
  allowsPassword: false,
};
const SECRET = { method: "", jwks: "", jwksUri: "" };

const isOpen = (changes: Partial<ApplicationDraft>, problems: ApplicationProblems = {}): boolean =>
  /<details[^>]* open/.test(
    renderToStaticMarkup(
      <FormContentProvider value={{ values: fieldValuesOf({ ...DRAFT, ...changes }), problems }}>
        <AdvancedFields />
      </FormContentProvider>,
    ),
  );

describe("the advanced section of the application form", () => {
  it.each<Partial<ApplicationDraft>>([
    {},
    {
      authentication: SECRET,
      tokens: { idTokenAlgorithm: "RS256", accessTokenFormat: "opaque" },
      requiresPushedRequests: false,
      requiresDpop: false,
      clientCredentialsScopes: [],
    },
  ])("the advanced section is closed with the default values %j", (changes) => {
    expect(isOpen(changes)).toBe(false);
  });

  it.each<Partial<ApplicationDraft>>([
    { authentication: { ...SECRET, method: "private_key_jwt" } },
    { authentication: { ...SECRET, jwksUri: "https://ci.example/jwks.json" } },
    { tokens: { idTokenAlgorithm: "ES256", accessTokenFormat: "opaque" } },
    { tokens: { idTokenAlgorithm: "RS256", accessTokenFormat: "jwt" } },
    { requiresPushedRequests: true },
    { requiresDpop: true },
    { clientCredentialsScopes: ["read_user"] },
    { backchannelLogout: { uri: "https://ci.example/logout", sessionRequired: false } },
  ])("the advanced section is open if the application has %j", (changes) => {
    expect(isOpen(changes)).toBe(true);
  });

  it("the advanced section of the application form is open if one of its fields has an error", () => {
    expect(isOpen({}, { authentication: ["Enter the public keys of the application, or their URL."] })).toBe(
      true,
    );
    expect(
      isOpen({}, { clientCredentialsScopes: ["Select these scopes for the application, too: api."] }),
    ).toBe(true);
    expect(isOpen({}, { name: ["Enter a name that people recognize."] })).toBe(false);
    expect(isOpen({}, { backchannelLogout: ["Enter an https URL."] })).toBe(true);
  });
});
