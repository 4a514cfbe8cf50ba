import { GET as getMetadata } from "@app/.well-known/openid-configuration/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { Settings } from "@/instance/settings/catalog.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import {
  authorizationQuery,
  authorize,
  type Client,
  decide,
  type Fields,
  ORIGIN,
  redirectParameters,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { openIdClient } from "@/testing/open-id.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await openIdClient(deps, ann.user);
});

const use = (authorization_response_iss: Settings["authorization_response_iss"]) =>
  changeSettings(deps, { authorization_response_iss });

const allowed = async (changes: Fields) =>
  redirectParameters(await decide(deps, ann, authorizationQuery(client, changes)));
const denied = async (changes: Fields) =>
  redirectParameters(await decide(deps, ann, authorizationQuery(client, changes), { decision: "deny" }));
const refused = async (changes: Fields) =>
  redirectParameters(await authorize(authorizationQuery(client, { ...changes, response_type: "foo" }), ann));
const metadata = async (): Promise<Record<string, unknown>> =>
  (await getMetadata(new Request(ORIGIN))).json();

const OPENID = { scope: "read_user openid" };
const OAUTH = { scope: "read_user" };
const FLAG = "authorization_response_iss_parameter_supported";

describe("an authorization response", () => {
  it(
    conformance(
      "SC-20",
      "by default, an authorization response contains iss if it contains an authorization code and the request has the scope openid",
    ),
    async () => {
      expect(await allowed(OPENID)).toMatchObject({ iss: ORIGIN });
      for (const response of [await allowed(OAUTH), await denied(OPENID), await refused(OPENID)])
        expect(response).not.toHaveProperty("iss");
      expect(await metadata()).not.toHaveProperty(FLAG);
    },
  );

  it(
    conformance(
      "SC-20",
      "AT-11",
      "if the setting authorization_response_iss has the value always, every authorization response contains iss, and the metadata announces iss",
    ),
    async () => {
      await use("always");
      for (const scope of [OPENID, OAUTH])
        for (const response of [await allowed(scope), await denied(scope), await refused(scope)])
          expect(response).toMatchObject({ iss: ORIGIN });
      expect(await metadata()).toHaveProperty(FLAG, true);
    },
  );

  it(
    conformance(
      "SC-20",
      "if the setting authorization_response_iss has the value never, no authorization response contains iss",
    ),
    async () => {
      await use("never");
      for (const response of [await allowed(OPENID), await allowed(OAUTH), await denied(OPENID)])
        expect(response).not.toHaveProperty("iss");
      expect(await metadata()).not.toHaveProperty(FLAG);
    },
  );
});
