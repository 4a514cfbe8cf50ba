import { beforeAll, expect, it } from "vitest";
import { withdrawConsent } from "@/oauth/authorizations/service.ts";
import {
  authorizationQuery,
  authorize,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { codesFor, decideDevice, poll, pollError, switchDeviceGrant } from "@/testing/device.ts";
import { grantedTokens, refreshOf, type Tokens, tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let bob: SignedInUser;
let client: Client;
let other: Client;

beforeAll(async () => {
  await switchDeviceGrant(deps, true);
  ann = await signedInUser(deps, "ann");
  bob = await signedInUser(deps, "bob");
  client = await registeredClient(deps, ann.user);
  other = await registeredClient(deps, ann.user);
});

const withdraw = () => withdrawConsent(deps, { userId: ann.user.id, applicationId: client.application.id });

const withdrawals = () => deps.db.auditEvent.count({ where: { name: "consent.withdrawn" } });

/** Returns the device code of a device that a user has allowed, before the device fetches its tokens. */
async function allowedDevice(user: SignedInUser): Promise<string> {
  const { deviceCode, userCode } = await codesFor(client, { scope: "read_user" });
  await decideDevice(user, userCode, "allow");
  return deviceCode;
}

async function expectDead({ access, refresh }: Tokens): Promise<void> {
  expect(await bearerStatus(access)).toBe(401);
  expect(await requestToken(refreshOf(client, refresh))).toMatchObject(refusal("invalid_grant"));
}

it(
  conformance(
    "RT-17",
    "AP-06",
    "withdrawing consent revokes the tokens, authorization codes and allowed devices of the application, and the next request needs consent again",
  ),
  async () => {
    const first = await grantedTokens(deps, ann, client);
    const rotated = tokensIn(await requestToken(refreshOf(client, first.refresh)));
    const ofDevice = tokensIn(await poll(client, await allowedDevice(ann)));
    const code = await codeFor(deps, ann, authorizationQuery(client));
    const deviceCode = await allowedDevice(ann);
    expect((await authorize(authorizationQuery(client), ann)).headers.get("location")).toContain("code=");

    expect(await withdraw()).toBe(true);

    for (const tokens of [first, rotated, ofDevice]) await expectDead(tokens);
    expect(await requestToken(exchangeOf(client, code))).toMatchObject(refusal("invalid_grant"));
    expect(await pollError(client, deviceCode)).toBe("access_denied");
    expect((await authorize(authorizationQuery(client), ann)).headers.get("location")).toContain(
      "/oauth/consent?",
    );
    const event = await deps.db.auditEvent.findFirstOrThrow({ where: { name: "consent.withdrawn" } });
    expect(event).toMatchObject({ userId: ann.user.id, applicationId: client.application.id });
  },
);

it(
  conformance(
    "RT-17",
    "TK-20",
    "withdrawing consent changes neither the consent of other users nor the consent for other applications",
  ),
  async () => {
    await grantedTokens(deps, ann, client);
    const otherTokens = [await grantedTokens(deps, bob, client), await grantedTokens(deps, ann, other)];
    const codes = [
      exchangeOf(client, await codeFor(deps, bob, authorizationQuery(client))),
      exchangeOf(other, await codeFor(deps, ann, authorizationQuery(other))),
    ];
    expect(await withdraw()).toBe(true);
    for (const { access } of otherTokens) expect(await bearerStatus(access)).toBe(200);
    for (const form of codes) expect((await requestToken(form)).status).toBe(200);
    expect(await deps.db.consent.count()).toBe(2);
  },
);

it("withdrawing a consent that does not exist has no effect and records nothing", async () => {
  const before = await withdrawals();
  expect(await withdraw()).toBe(false);
  expect(await withdrawals()).toBe(before);
});

it.each([1, 2, 3, 4, 5])(
  conformance(
    "AT-07",
    "RT-17",
    "withdrawing consent during concurrent requests leaves no valid token, round %i",
  ),
  async () => {
    const tokens = await grantedTokens(deps, ann, client);
    const code = await codeFor(deps, ann, authorizationQuery(client));
    const deviceCode = await allowedDevice(ann);
    const exchange = () => requestToken(exchangeOf(client, code));
    const refresh = () => requestToken(refreshOf(client, tokens.refresh));
    const [, ...responses] = await Promise.all([
      withdraw(),
      ...[1, 2].flatMap(() => [exchange(), refresh(), poll(client, deviceCode)]),
    ]);
    const won = responses.filter(({ status }) => status === 200).map(tokensIn);
    for (const pair of [tokens, ...won]) await expectDead(pair);
    for (const response of [await exchange(), await refresh()]) expect(response.status).toBe(400);
  },
);
