import { beforeEach, describe, expect, it } from "vitest";
import * as applications from "@/oauth/applications/service.ts";
import {
  authorizationQuery,
  authorize,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  redirectParameters,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { grantedTokens, refreshOf, type Tokens } from "@/testing/tokens.ts";
import { revokeUncovered } from "./service.ts";

const deps = await openTestDeps();

let users = 0;
let ann: SignedInUser;
let client: Client;
let wide: Tokens;
let small: Tokens;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  client = await registeredClient(deps, ann.user, { scopes: ["read_user", "read_api", "profile"] });
  wide = await grantedTokens(deps, ann, client, { scope: "read_user read_api" });
  small = await grantedTokens(deps, ann, client, { scope: "read_user" });
});

const changeScopes = async (scopes: readonly string[]) => {
  const { application } = client;
  const draft = { ...application, redirectUris: application.redirectUris.join("\n"), scopes };
  const outcome = await applications.change(deps, ann.user, application.id, draft);
  if (outcome === null || "problems" in outcome) throw new Error("The application was not changed.");
  return outcome.application;
};
const refreshed = (tokens: Tokens) => requestToken(refreshOf(client, tokens.refresh));

describe("an application whose scopes are narrowed", () => {
  it(
    conformance(
      "SC-33",
      "an application cannot get a removed scope in a new authorization, but existing grants keep the scope",
    ),
    async () => {
      const code = await codeFor(deps, ann, authorizationQuery(client, { scope: "read_user read_api" }));
      await changeScopes(["read_user", "profile"]);
      const parameters = redirectParameters(
        await authorize(authorizationQuery(client, { scope: "read_user read_api" }), ann),
      );
      expect(parameters).toMatchObject({ error: "invalid_scope" });
      expect(await requestToken(exchangeOf(client, code))).toMatchObject(refusal("invalid_grant"));
      expect(await bearerStatus(wide.access)).toBe(200);
      const next = await refreshed(wide);
      expect(next).toMatchObject({ status: 200, body: { scope: "read_user read_api" } });
      expect(await bearerStatus(next.body["access_token"])).toBe(200);
    },
  );

  it(
    conformance(
      "SC-33",
      "the option to revoke grants with removed scopes revokes only the grants and consents that have a removed scope",
    ),
    async () => {
      const other = await registeredClient(deps, ann.user, { scopes: ["read_user", "read_api"] });
      const foreign = await grantedTokens(deps, ann, other, { scope: "read_api" });
      const application = await changeScopes(["read_user"]);
      expect(await revokeUncovered(deps, application, ann.user)).toBe(1);
      expect(await bearerStatus(wide.access)).toBe(401);
      expect(await refreshed(wide)).toMatchObject(refusal("invalid_grant"));
      expect(await bearerStatus(small.access)).toBe(200);
      expect(await refreshed(small)).toMatchObject({ status: 200 });
      expect(await bearerStatus(foreign.access)).toBe(200);
      const where = { userId: ann.user.id, applicationId: application.id };
      expect(await deps.db.consent.findFirst({ where })).toMatchObject({ scopes: "read_user" });
      const event = await deps.db.auditEvent.findFirstOrThrow({
        where: { name: "application.tokens_revoked" },
      });
      expect(JSON.parse(event.details)).toEqual({ uncovered: true });
      await changeScopes(["read_user", "read_api"]);
      const again = await authorize(authorizationQuery(client, { scope: "read_api" }), ann);
      expect(new URL(again.headers.get("location") ?? "").pathname).toBe("/oauth/consent");
      expect(await revokeUncovered(deps, application, ann.user)).toBe(0);
    },
  );

  it(
    conformance(
      "SC-33",
      "the removal of scopes deletes a consent if no allowed scope of the consent remains",
    ),
    async () => {
      const application = await changeScopes(["profile"]);
      expect(await revokeUncovered(deps, application, ann.user)).toBe(2);
      expect(await deps.db.consent.count({ where: { applicationId: application.id } })).toBe(0);
    },
  );
});
