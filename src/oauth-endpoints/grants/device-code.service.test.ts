import { beforeAll, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { blockUserAsAdministrator, unblockUserAsAdministrator } from "@/identity/users/administration.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { writePolls } from "@/oauth/device-authorizations/poll-times.ts";
import {
  bearerStatus,
  type Client,
  ORIGIN,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  codesFor,
  DEVICE_GRANT,
  decideDevice,
  poll,
  pollError,
  requestDevice,
  switchDeviceGrant,
} from "@/testing/device.ts";
import { bearer, refreshOf, tokenInfo, tokensIn } from "@/testing/tokens.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let root: User;
let device: Client;
let other: Client;
let server: Client;

beforeAll(async () => {
  await switchDeviceGrant(deps, true);
  ann = await signedInUser(deps, "ann");
  const chief = await signedInUser(deps, "chief");
  await deps.db.user.update({ where: { id: chief.user.id }, data: { admin: true } });
  root = { ...chief.user, admin: true };
  // The applications belong to another user, so that blocking Ann does not block the applications.
  const owner = await signedInUser(deps, "olga");
  const scopes = ["read_user", "openid", "email"];
  device = await registeredClient(deps, owner.user, { confidential: false, scopes });
  other = await registeredClient(deps, owner.user, { confidential: false, scopes });
  server = await registeredClient(deps, owner.user, { confidential: true, scopes });
});

const requestCodes = (client = device, scope = "read_user") => codesFor(client, { scope });

/** Returns the codes of a device request that Ann has allowed or denied. */
async function decidedCodes(decision: string, client = device, scope = "read_user") {
  const codes = await requestCodes(client, scope);
  expect((await decideDevice(ann, codes.userCode, decision)).status).toBe(200);
  return codes;
}

const latest = () => deps.db.deviceAuthorization.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("a device that polls", () => {
  it("a device that names a resource is refused, because the device grant cannot limit a token to the resource", async () => {
    const resource = `${ORIGIN}/api/v4/mcp`;
    const refused = { status: 400, body: { error: "invalid_target" } };
    const { deviceCode } = await decidedCodes("allow");
    expect(await poll(device, deviceCode, { resource })).toMatchObject(refused);
    expect(await requestDevice({ client_id: device.id, resource })).toMatchObject(refused);
    expect(await pollError(device, deviceCode)).toBe("issued");
  });

  it(
    conformance(
      "DT-01",
      "DT-03",
      "a device receives authorization_pending, even immediately after the device request",
    ),
    async () => {
      const { deviceCode } = await requestCodes();
      for (let polls = 0; polls < 3; polls++) {
        expect(await poll(device, deviceCode)).toMatchObject({
          status: 400,
          body: { error: "authorization_pending", error_description: expect.any(String) },
        });
        deps.advance(5);
      }
    },
  );

  it(
    conformance(
      "DT-02",
      "a device receives a longer interval after each poll that is too early: five seconds more, up to a minute",
    ),
    async () => {
      const { deviceCode } = await requestCodes();
      expect(await pollError(device, deviceCode)).toBe("authorization_pending");
      await writePolls(deps);
      const { lastPolledAt } = await latest();
      for (const interval of [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 60, 60]) {
        deps.advance(1);
        const { status, body } = await poll(device, deviceCode);
        expect({ status, body }).toMatchObject({ status: 400, body: { error: "slow_down", interval } });
      }
      await writePolls(deps);
      expect(await latest()).toMatchObject({ intervalSeconds: 60, lastPolledAt });
      // A refused poll does not restart the polling interval. The next poll is sent 59 seconds after the
      // first poll, which is one minute minus one second of tolerance.
      deps.advance(59 - 13);
      expect(await pollError(device, deviceCode)).toBe("authorization_pending");
    },
  );

  it(
    conformance(
      "DT-04",
      "a device receives its tokens after the user has allowed the request, even if the device polls too early",
    ),
    async () => {
      const { deviceCode, userCode } = await requestCodes();
      expect(await pollError(device, deviceCode)).toBe("authorization_pending");
      await decideDevice(ann, userCode, "allow");
      const { status, body } = await poll(device, deviceCode);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.stringMatching(/^ghat_/),
          token_type: "Bearer",
          expires_in: 7200,
          refresh_token: expect.stringMatching(/^ghrt_/),
          scope: "read_user",
          created_at: Math.floor(deps.clock().getTime() / 1000),
        },
      });
      expect(await bearerStatus(body["access_token"])).toBe(200);
    },
  );

  it("a device receives tokens of the user who allowed the request, and can refresh them", async () => {
    const { deviceCode } = await decidedCodes("allow");
    const { access, refresh } = tokensIn(await poll(device, deviceCode));
    const { body } = await tokenInfo(bearer(access));
    expect(body).toMatchObject({ resource_owner_id: ann.user.id, application: { uid: device.id } });
    const next = tokensIn(await requestToken(refreshOf(device, refresh)));
    expect([await bearerStatus(access), await bearerStatus(next.access)]).toEqual([401, 200]);
  });

  it("a device receives an ID token when the request has the scope openid", async () => {
    const { deviceCode } = await decidedCodes("allow", device, "openid email");
    const { body } = await poll(device, deviceCode);
    const [, claims = ""] = String(body["id_token"]).split(".");
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
      sub: String(ann.user.id),
      aud: device.id,
      email: "ann@example.com",
    });
  });

  it(conformance("DT-05", "a device receives its tokens only once"), async () => {
    const { deviceCode } = await decidedCodes("allow");
    const first = tokensIn(await poll(device, deviceCode));
    expect(await pollError(device, deviceCode)).toBe("invalid_grant");
    deps.advance(1_000);
    expect(await pollError(device, deviceCode)).toBe("invalid_grant");
    expect(await bearerStatus(first.access)).toBe(200);
  });

  it(conformance("DT-06", "a device receives access_denied for each poll after a denial"), async () => {
    for (const decision of ["deny", "report"]) {
      const { deviceCode } = await decidedCodes(decision);
      for (let polls = 0; polls < 3; polls++)
        expect(await pollError(device, deviceCode)).toBe("access_denied");
    }
  });

  it(
    conformance(
      "DT-07",
      "a device receives expired_token for each poll after the device code has expired, with or without an approval",
    ),
    async () => {
      const codes = [await requestCodes(), await decidedCodes("allow")];
      deps.advance(300);
      for (const { deviceCode } of [...codes, ...codes])
        expect(await pollError(device, deviceCode)).toBe("expired_token");
    },
  );

  it.each([
    [conformance("DT-08", "AT-19", "a made-up code"), () => "ghdc_made-up"],
    [conformance("DT-12", "a user code"), ({ userCode }: { userCode: string }) => userCode],
    [conformance("AT-28", "an authorization code"), () => "ghac_made-up"],
  ])("a device is refused when it sends %s", async (_what, choose) => {
    const codes = await decidedCodes("allow");
    expect(await pollError(device, choose(codes))).toBe("invalid_grant");
    expect(await pollError(device, codes.deviceCode)).toBe("issued");
  });

  it(conformance("DT-09", "a device is refused when it sends no device code"), async () => {
    const { status, body } = await poll(device, "", {});
    expect([status, body["error"]]).toEqual([400, "invalid_request"]);
  });

  it(
    conformance(
      "DT-10",
      "a device that sends the device code of another client is refused, and the device code stays unchanged",
    ),
    async () => {
      const pending = await requestCodes();
      const approved = await decidedCodes("allow");
      const before = await deps.db.deviceAuthorization.findMany({ orderBy: { id: "asc" } });
      for (const { deviceCode } of [pending, approved])
        expect(await pollError(other, deviceCode)).toBe("invalid_grant");
      expect(await deps.db.deviceAuthorization.findMany({ orderBy: { id: "asc" } })).toEqual(before);
      expect(await pollError(device, pending.deviceCode)).toBe("authorization_pending");
      expect(await pollError(device, approved.deviceCode)).toBe("issued");
    },
  );

  it(
    conformance(
      "DT-11",
      "if the client authentication fails, a device is refused before its device code is checked",
    ),
    async () => {
      const { deviceCode } = await decidedCodes("allow", server);
      for (const changes of [
        { client_id: "nobody", client_secret: undefined },
        { client_secret: undefined },
        { client_secret: "wrong" },
      ]) {
        const { status, body } = await poll(server, deviceCode, changes);
        expect([status, body["error"]]).toEqual([401, "invalid_client"]);
      }
      expect(await pollError(server, deviceCode)).toBe("issued");
    },
  );

  it(
    conformance("DT-13", "a device receives no tokens for a user who was blocked after the approval"),
    async () => {
      const eve = await signedInUser(deps, "eve");
      const codes = await requestCodes();
      await decideDevice(eve, codes.userCode, "allow");
      expect(await blockUserAsAdministrator(deps, root, eve.user.id)).toBeNull();
      expect(await pollError(device, codes.deviceCode)).toBe("invalid_grant");
      await unblockUserAsAdministrator(deps, root, eve.user.id);
      expect(await pollError(device, codes.deviceCode)).toBe("invalid_grant");

      // The approval of a user who is blocked during the poll is not revoked yet.
      const { deviceCode } = await decidedCodes("allow");
      const block = (state: string) => deps.db.user.update({ where: { id: ann.user.id }, data: { state } });
      await block("blocked");
      const refused = await pollError(device, deviceCode);
      await block("active");
      expect(refused).toBe("invalid_grant");
    },
  );
});

describe("the device grant", () => {
  it(
    conformance(
      "AT-05",
      "the device grant issues tokens to exactly one of 20 simultaneous requests with the same device code",
    ),
    async () => {
      for (let round = 0; round < 5; round++) {
        const { deviceCode } = await decidedCodes("allow");
        const families = await deps.db.tokenFamily.count();
        const responses = await Promise.all(Array.from({ length: 20 }, () => poll(device, deviceCode)));
        const lost = responses.filter(({ status }) => status !== 200);
        expect(lost).toHaveLength(19);
        for (const { status, body } of lost) expect([status, body["error"]]).toEqual([400, "invalid_grant"]);
        expect(await deps.db.tokenFamily.count()).toBe(families + 1);
        const [won] = responses.filter(({ status }) => status === 200);
        expect(await bearerStatus(won?.body["access_token"])).toBe(200);
      }
    },
  );

  it(
    conformance(
      "DT-02",
      "the device grant sends authorization_pending to one of 20 simultaneous polls, and slow_down to the other 19 polls",
    ),
    async () => {
      const { deviceCode } = await requestCodes();
      const errors = await Promise.all(Array.from({ length: 20 }, () => pollError(device, deviceCode)));
      expect(errors.filter((error) => error === "authorization_pending")).toHaveLength(1);
      expect(errors.filter((error) => error === "slow_down")).toHaveLength(19);
      await writePolls(deps);
      expect((await latest()).intervalSeconds).toBe(60);
    },
  );

  it.each([
    ["written", writePolls],
    ["not written", () => undefined],
  ])(
    conformance(
      "DT-02",
      "the device grant sends slow_down if a poll is too early for the longer interval that another process has stored (last poll of this process: %s)",
    ),
    async (_state, write) => {
      const { deviceCode } = await requestCodes();
      await pollError(device, deviceCode);
      await write(deps);
      deps.advance(10);
      const { id } = await latest();
      const data = { intervalSeconds: 30, lastPolledAt: deps.clock() };
      await deps.db.deviceAuthorization.update({ where: { id }, data });
      deps.advance(25);
      expect((await poll(device, deviceCode)).body).toMatchObject({ error: "slow_down", interval: 35 });
      deps.advance(8);
      expect((await poll(device, deviceCode)).body).toMatchObject({ error: "slow_down", interval: 40 });
      deps.advance(7);
      expect(await pollError(device, deviceCode)).toBe("authorization_pending");
    },
  );

  it(
    conformance(
      "AT-05",
      "the device grant never loses the approval of a user who allows a device while the device polls",
    ),
    async () => {
      for (let round = 0; round < 5; round++) {
        const { deviceCode, userCode } = await requestCodes();
        const [, ...errors] = await Promise.all([
          decideDevice(ann, userCode, "allow"),
          ...Array.from({ length: 10 }, () => pollError(device, deviceCode)),
        ]);
        errors.push(await pollError(device, deviceCode));
        expect(errors.filter((error) => error === "issued")).toHaveLength(1);
      }
    },
  );

  it(
    conformance("DT-02", "the device grant never locks out a device that polls 1,000 times with jitter"),
    async () => {
      await changeSettings(deps, { device_code_expires_in: "1800" });
      // The random number generator of Park and Miller, which returns the same numbers in every run.
      let state = 20_261_121;
      const chance = () => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const counts = { authorization_pending: 0, slow_down: 0 };
      while (counts.authorization_pending + counts.slow_down < 1_000) {
        const { deviceCode, userCode } = await requestCodes();
        for (let polls = 0; polls < 250; polls++) {
          const error = await pollError(device, deviceCode);
          if (error !== "authorization_pending" && error !== "slow_down") throw new Error(error);
          counts[error]++;
          deps.advance(5 + (chance() - 0.5) * 1.9);
        }
        await decideDevice(ann, userCode, "allow");
        expect(await pollError(device, deviceCode)).toBe("issued");
      }
      await changeSettings(deps, { device_code_expires_in: "300" });
      expect(counts).toEqual({ authorization_pending: 1_000, slow_down: 0 });
    },
  );

  it(
    conformance(
      "DA-05",
      "TK-04",
      "the device grant is not supported while its feature flag is off, and works again when the flag is on",
    ),
    async () => {
      const { deviceCode } = await decidedCodes("allow");
      await switchDeviceGrant(deps, false);
      const { status, body } = await poll(device, deviceCode);
      expect([status, body["error"]]).toEqual([400, "unsupported_grant_type"]);
      expect((await requestDevice({ client_id: device.id })).status).toBe(404);
      await switchDeviceGrant(deps, true);
      expect(await pollError(device, deviceCode)).toBe("issued");
    },
  );

  it(
    conformance(
      "DA-05",
      "TK-04",
      "while its feature flag is off, the device grant is not supported for requests of unknown clients and requests without a device code either",
    ),
    async () => {
      await switchDeviceGrant(deps, false);
      const refusals = await Promise.all(
        [{ client_id: "unknown" }, { client_id: device.id }, {}].map((fields) =>
          requestToken({ grant_type: DEVICE_GRANT, ...fields }),
        ),
      );
      await switchDeviceGrant(deps, true);
      for (const { status, body } of refusals)
        expect([status, body["error"]]).toEqual([400, "unsupported_grant_type"]);
    },
  );

  it("the device grant accepts only the grant_type value that RFC 8628 defines", async () => {
    const { deviceCode } = await requestCodes();
    for (const grant_type of ["device_code", DEVICE_GRANT.toUpperCase()])
      expect((await poll(device, deviceCode, { grant_type })).body["error"]).toBe("unsupported_grant_type");
  });
});
