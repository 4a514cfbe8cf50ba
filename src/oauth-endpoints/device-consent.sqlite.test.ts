import { beforeAll, expect, it } from "vitest";
import {
  authorizationQuery,
  authorize,
  type Client,
  codeFor,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { codesFor, decideDevice, poll, switchDeviceGrant } from "@/testing/device.ts";
import { openIdClient, verified } from "@/testing/open-id.ts";
import { refreshOf, tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  await switchDeviceGrant(deps, true);
  ann = await signedInUser(deps, "ann");
  client = await openIdClient(deps, ann.user);
});

async function decideOn(scope: string, decision: string): Promise<string> {
  const { deviceCode, userCode } = await codesFor(client, { scope });
  await decideDevice(ann, userCode, decision);
  return deviceCode;
}

const consents = async () =>
  (await deps.db.consent.findMany()).map(({ scopes }) => scopes.split(" ").toSorted());

it(
  conformance("DV-05", "DV-06", "allowing a device records consent, and denying a device does not"),
  async () => {
    await decideOn("openid", "deny");
    expect(await consents()).toEqual([]);
    await decideOn("openid", "allow");
    expect(await consents()).toEqual([["openid"]]);
    const silent = await authorize(authorizationQuery(client, { scope: "openid", prompt: "none" }), ann);
    expect(silent.headers.get("location")).toContain("code=");
  },
);

it(conformance("AZ-33", "DV-05", "allowing a device extends the existing consent"), async () => {
  await codeFor(deps, ann, authorizationQuery(client, { scope: "profile" }));
  await decideOn("openid read_user", "allow");
  expect(await consents()).toEqual([["openid", "profile", "read_user"]]);
});

it(
  conformance(
    "ID-03",
    "RT-18",
    "the ID tokens of a device contain the sign-in time of the user who allowed the device, even after a refresh",
  ),
  async () => {
    const signedInAt = Math.floor(deps.clock().getTime() / 1000);
    ann = { ...ann, cookie: await signedInCookie("ann") };
    deps.advance(1_200);
    const deviceCode = await decideOn("openid", "allow");
    deps.advance(100);
    const issued = await poll(client, deviceCode);
    const { payload } = await verified(deps, issued.body["id_token"], client);
    expect(payload).toMatchObject({ sub: String(ann.user.id), auth_time: signedInAt });
    deps.advance(1_000);
    const refreshed = await requestToken(refreshOf(client, tokensIn(issued).refresh));
    const later = (await verified(deps, refreshed.body["id_token"], client)).payload;
    expect(later).toMatchObject({ sub: payload.sub, auth_time: signedInAt });
    expect(later).not.toHaveProperty("nonce");
  },
);
