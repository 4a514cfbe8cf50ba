import { expect, it } from "vitest";
import type { Application } from "@/oauth/applications/rules.ts";
import { stepsOf } from "./steps.ts";

const requestsOf = (application: Pick<Application, "confidential" | "authMethod">) =>
  stepsOf({
    issuer: "https://id.example.com",
    redirectUri: "https://app.example/cb",
    application: { uid: "0123456789abcdef", ...application } as Application,
    trial: { codeVerifier: "verifier" } as never,
    authorization: { code: "code" },
    token: { status: 200, body: {} },
    userinfo: null,
    user: { status: 200, body: {} },
  })
    .filter(({ title }) => title === "Token response" || title === "Revocation")
    .map(({ request }) => request ?? "");

it.each([
  { confidential: true, authMethod: null, credentials: ["client_secret"] },
  {
    confidential: true,
    authMethod: "private_key_jwt",
    credentials: ["client_assertion_type", "client_assertion"],
  },
  {
    confidential: true,
    authMethod: "client_secret_jwt",
    credentials: ["client_assertion_type", "client_assertion"],
  },
  { confidential: false, authMethod: null, credentials: [] },
] as const)(
  "the requests of a trial contain the credentials of the application (confidential: $confidential, authentication method: $authMethod)",
  ({ credentials, ...application }) => {
    for (const request of requestsOf(application))
      expect([...request.matchAll(/client_(?:secret|assertion)\w*(?==)/g)].map(([name]) => name)).toEqual(
        credentials,
      );
  },
);
