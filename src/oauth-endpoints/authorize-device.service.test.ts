import * as route from "@app/oauth/authorize_device/route.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { TOKEN_PREFIXES } from "@/kernel/crypto/token.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import {
  basicOf,
  type Client,
  type Fields,
  ORIGIN,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { requestDevice, switchDeviceGrant } from "@/testing/device.ts";

/** The function that supplies the next random bytes; null if the test uses real random bytes. */
let bytes: ((size: number) => Uint8Array) | null = null;
const deps = await openTestDeps();
const { randomBytes } = deps;
Object.assign(deps, { randomBytes: (size: number) => (bytes ?? randomBytes)(size) });

let ann: SignedInUser;
let device: Client;
let server: Client;

beforeAll(async () => {
  await switchDeviceGrant(deps, true);
  ann = await signedInUser(deps, "ann");
  const scopes = ["read_user", "openid", "api"];
  device = await registeredClient(deps, ann.user, { confidential: false, scopes });
  server = await registeredClient(deps, ann.user, { confidential: true, scopes: ["read_user"] });
});

const rows = () => deps.db.deviceAuthorization.count();
const latest = () => deps.db.deviceAuthorization.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("POST /oauth/authorize_device", () => {
  it(
    conformance(
      "DA-01",
      "XC-03",
      "the device authorization endpoint returns the device code and the user code with their lifetime, and the verification URI",
    ),
    async () => {
      const { status, headers, body } = await requestDevice({ client_id: device.id, scope: "read_user" });
      expect(status).toBe(200);
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(body).toEqual({
        device_code: expect.stringMatching(/^ghdc_[A-Za-z0-9_-]{43}[a-z0-9]{7}$/),
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: `${ORIGIN}/oauth/device`,
        verification_uri_complete: `${ORIGIN}/oauth/device?user_code=${body["user_code"]}`,
        expires_in: 300,
        interval: 5,
      });
    },
  );

  it(
    conformance(
      "AT-44",
      "XC-13",
      "the device authorization endpoint builds the verification URI from the configured issuer, not from the host of the request",
    ),
    async () => {
      const forged = {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "gopher",
      };
      const fields = { client_id: device.id, scope: "read_user" };
      const request = new Request("http://evil.example/oauth/authorize_device", {
        method: "POST",
        headers: forged,
        body: new URLSearchParams(fields),
      });
      const body = await (await route.POST(request)).json();
      expect(body.verification_uri).toBe(`${ORIGIN}/oauth/device`);
      expect(JSON.stringify(body)).not.toContain("evil");
    },
  );

  it(
    conformance(
      "DA-01",
      "the device authorization endpoint uses the lifetime and the interval of the settings",
    ),
    async () => {
      await changeSettings(deps, { device_code_expires_in: "900", device_poll_interval: "7" });
      const { body } = await requestDevice({ client_id: device.id });
      await changeSettings(deps, { device_code_expires_in: "300", device_poll_interval: "5" });
      expect(body).toMatchObject({ expires_in: 900, interval: 7 });
      const { createdAt, expiresAt, intervalSeconds } = await latest();
      expect([expiresAt.getTime() - createdAt.getTime(), intervalSeconds]).toEqual([900_000, 7]);
    },
  );

  it(
    conformance(
      "XC-16",
      "the device authorization endpoint stores the IP address and the user agent of the device, but neither the device code nor the user code in plain text",
    ),
    async () => {
      const headers = {
        [CLIENT_IP_HEADER]: "203.0.113.7",
        "user-agent": `acme/1 <b>\u00e9${"x".repeat(500)}`,
      };
      const { body } = await requestDevice({ client_id: device.id, scope: "read_user" }, headers);
      const row = await latest();
      expect(row).toMatchObject({
        address: "203.0.113.7",
        status: "waiting",
        userId: null,
        scopes: "read_user",
      });
      expect(row.userAgent).toMatch(/^acme\/1 <b>x+$/);
      expect(row.userAgent).toHaveLength(200);
      const stored = JSON.stringify(row);
      const userCode = String(body["user_code"]);
      for (const secret of [String(body["device_code"]), userCode, userCode.replace("-", "")])
        expect(stored).not.toContain(secret);
      expect(stored).not.toContain(TOKEN_PREFIXES.device);
    },
  );

  it(
    conformance(
      "DA-04",
      "the device authorization endpoint uses the default scope if the device request has no scope",
    ),
    async () => {
      await requestDevice({ client_id: device.id });
      expect((await latest()).scopes).toBe("api");
    },
  );
});

describe("a confidential client", () => {
  it.each<[string, Fields]>([
    ["that is unknown", { client_id: "0".repeat(64), scope: "read_user" }],
    ["that is missing", { scope: "read_user" }],
  ])(
    conformance("DA-02", "a device request of a confidential client %s is refused"),
    async (_who, fields) => {
      const before = await rows();
      const { status, body } = await requestDevice(fields);
      expect([status, body["error"]]).toEqual([401, "invalid_client"]);
      expect(await rows()).toBe(before);
    },
  );

  it(conformance("DA-03", "a confidential client must send its secret with a device request"), async () => {
    const requests = { client_id: server.id, scope: "read_user" };
    expect((await requestDevice(requests)).status).toBe(401);
    expect((await requestDevice({ ...requests, client_secret: "wrong" })).status).toBe(401);
    expect((await requestDevice({ ...requests, client_secret: server.secret })).status).toBe(200);
    const basic = { authorization: basicOf(server.id, server.secret) };
    expect((await requestDevice({ scope: "read_user" }, basic)).status).toBe(200);
  });
});

describe("many device requests", () => {
  const statuses = async (fields: Fields, ipAddress: string): Promise<readonly number[]> => {
    const headers = { [CLIENT_IP_HEADER]: ipAddress };
    const responses = await Promise.all([1, 2, 3].map(() => requestDevice(fields, headers)));
    return responses.map(({ status }) => status).toSorted();
  };
  const limitedClient = async (): Promise<Fields> => {
    const app = await registeredClient(deps, ann.user, { confidential: false, scopes: ["read_user"] });
    return { client_id: app.id, scope: "read_user" };
  };

  beforeAll(() => changeSettings(deps, { limit_device_request_per_client: "2" }));
  afterAll(() => changeSettings(deps, { limit_device_request_per_client: "300" }));

  it(
    conformance(
      "DA-09",
      "the number of device requests is limited for each public client and network, and a refused device request is not stored",
    ),
    async () => {
      const [fields, otherFields] = [await limitedClient(), await limitedClient()];
      const before = await rows();
      expect(await statuses(fields, "2001:db8:5:6::1")).toEqual([200, 200, 429]);
      expect(await rows()).toBe(before + 2);
      const refused = await requestDevice(fields, { [CLIENT_IP_HEADER]: "2001:db8:5:6:ffff::9" });
      expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
      expect(refused.headers.get("retry-after")).toBe("300");
      expect(await statuses(fields, "2001:db8:5:7::1")).toEqual([200, 200, 429]);
      expect(await statuses(otherFields, "2001:db8:5:6::1")).toEqual([200, 200, 429]);
      deps.advance(300);
      expect((await requestDevice(fields, { [CLIENT_IP_HEADER]: "2001:db8:5:6::1" })).status).toBe(200);
    },
  );

  it(conformance("DA-09", "the device requests of a confidential client are not limited"), async () => {
    const fields = { client_id: server.id, client_secret: server.secret, scope: "read_user" };
    expect(await statuses(fields, "192.0.2.77")).toEqual([200, 200, 200]);
  });

  it("a device request that is refused for another reason does not count for the limit of device requests", async () => {
    const fields = await limitedClient();
    expect(await statuses({ ...fields, scope: "nonsense" }, "192.0.2.78")).toEqual([400, 400, 400]);
    expect(await statuses(fields, "192.0.2.78")).toEqual([200, 200, 429]);
  });

  it("device requests are not limited if the limit is 0", async () => {
    await changeSettings(deps, { limit_device_request_per_client: "0" });
    expect(await statuses(await limitedClient(), "192.0.2.79")).toEqual([200, 200, 200]);
    await changeSettings(deps, { limit_device_request_per_client: "2" });
  });
});

describe("the scope of a device request", () => {
  it.each([
    ["unknown", "nonsense"],
    ["partly unknown", "read_user nonsense"],
    ["not registered for the application", "read_user read_repository"],
    ["in capitals", "READ_USER"],
    ["separated by a tab", "read_user\topenid"],
  ])(
    conformance("DA-04", "AT-27", "the device authorization endpoint refuses a scope that is %s"),
    async (_how, scope) => {
      const before = await rows();
      const { status, body } = await requestDevice({ client_id: device.id, scope });
      expect([status, body["error"]]).toEqual([400, "invalid_scope"]);
      expect(await rows()).toBe(before);
    },
  );

  it(
    conformance("SC-26", "a device request may include the scope offline_access, which is not stored"),
    async () => {
      const { status } = await requestDevice({ client_id: device.id, scope: "offline_access read_user" });
      expect(status).toBe(200);
      const row = await deps.db.deviceAuthorization.findFirstOrThrow({ orderBy: { id: "desc" } });
      expect(row.scopes).toBe("read_user");
    },
  );

  it(
    conformance(
      "DA-04",
      "a device request must contain a scope if the application does not have the default scope",
    ),
    async () => {
      const { status, body } = await requestDevice({ client_id: server.id, client_secret: server.secret });
      expect([status, body["error"]]).toEqual([400, "invalid_scope"]);
    },
  );
});

describe("the device authorization endpoint", () => {
  it("the device authorization endpoint rejects parameters in the query and repeated parameters in the body", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const post = (query: string, body: string) =>
      route.POST(
        new Request(`${ORIGIN}/oauth/authorize_device${query}`, { method: "POST", headers: form, body }),
      );
    for (const response of [
      await post(`?client_id=${device.id}`, "scope=read_user"),
      await post("", `client_id=${device.id}&client_id=${device.id}`),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: "invalid_request" });
    }
  });

  it(
    conformance(
      "DA-08",
      "the device authorization endpoint accepts only POST, and rejects requests from pages of other origins",
    ),
    async () => {
      expect(Object.keys(route)).toEqual(["POST"]);
      const { headers } = await requestDevice({ client_id: device.id }, { origin: "https://other.example" });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    },
  );

  it(
    conformance(
      "DA-05",
      "the device authorization endpoint responds with 404 to every client while the device grant is disabled",
    ),
    async () => {
      await switchDeviceGrant(deps, false);
      const responses = [
        await requestDevice({ client_id: device.id }),
        await requestDevice({ client_id: "nobody" }),
      ];
      await switchDeviceGrant(deps, true);
      for (const { status, body } of responses)
        expect([status, body["error"]]).toEqual([404, "unsupported_grant_type"]);
      expect((await requestDevice({ client_id: device.id })).status).toBe(200);
    },
  );

  it(
    conformance(
      "DA-07",
      "the device authorization endpoint never issues the user code of another pending request",
    ),
    async () => {
      const { body: first } = await requestDevice({ client_id: device.id });
      const letters = [...String(first["user_code"]).replace("-", "")];
      const same = Uint8Array.from(letters.map((letter) => "BCDFGHJKLMNPQRSTVWXZ".indexOf(letter)));
      let taken = 3;
      bytes = (size) => (size === 8 && taken-- > 0 ? same : randomBytes(size));
      const { status, body } = await requestDevice({ client_id: device.id });
      bytes = null;
      expect(status).toBe(200);
      expect(taken, "all three user codes are in use").toBeLessThan(0);
      expect(body["user_code"]).not.toBe(first["user_code"]);
    },
  );

  it(
    conformance(
      "DA-07",
      "the device authorization endpoint issues 300 different user codes to 300 concurrent requests",
    ),
    async () => {
      const codes = new Set<unknown>();
      for (let round = 0; round < 15; round++) {
        const headers = { [CLIENT_IP_HEADER]: `192.0.2.${round}` };
        const requests = Array.from({ length: 20 }, () => requestDevice({ client_id: device.id }, headers));
        for (const { body } of await Promise.all(requests)) codes.add(body["user_code"]);
      }
      expect(codes.size).toBe(300);
    },
  );
});
