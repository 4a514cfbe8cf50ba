import { beforeAll, describe, expect, it } from "vitest";
import { setBlocked } from "@/oauth/applications/administration.ts";
import { addSecret, removeSecret, secretsOf } from "@/oauth/applications/client-secret.ts";
import { remove } from "@/oauth/applications/service.ts";
import {
  authorizationQuery,
  basicOf,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  type Fields,
  PASSWORD,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
let ann: SignedInUser;
let client: Client;
let other: Client;
let publicClient: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user);
  other = await registeredClient(deps, ann.user);
  publicClient = await registeredClient(deps, ann.user, { confidential: false });
});

/** Returns the form of a valid token request with a new authorization code. */
const freshExchange = async (changes: Fields = {}, by: Client = client): Promise<Fields> =>
  exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by)), changes);

const anonymous = { client_id: undefined, client_secret: undefined };

describe("client authentication", () => {
  it.each<[string, (id: string, secret: string) => string]>([
    ["in its usual form", (id, secret) => basicOf(id, secret)],
    ["percent-encoded", (id, secret) => basicOf(percent(id), percent(secret))],
    ["in lower case", (id, secret) => basicOf(id, secret).replace("Basic", "basic")],
    ["in capitals", (id, secret) => basicOf(id, secret).replace("Basic", "BASIC")],
    ["after several spaces", (id, secret) => basicOf(id, secret).replace(" ", "   ")],
  ])(
    conformance("TK-05", "TK-07", "TK-08", "client authentication accepts HTTP Basic %s"),
    async (_how, header) => {
      const form = await freshExchange(anonymous);
      expect((await requestToken(form, header(client.id, client.secret ?? ""))).status).toBe(200);
    },
  );

  it(
    conformance("TK-06", "client authentication accepts the client ID and the secret in the form"),
    async () => {
      expect((await requestToken(await freshExchange())).status).toBe(200);
    },
  );

  it(
    conformance("TK-16", "client authentication accepts HTTP Basic if the form contains the same client_id"),
    async () => {
      const form = await freshExchange({ client_secret: undefined });
      expect((await requestToken(form, basicOf(client.id, client.secret))).status).toBe(200);
    },
  );

  it(
    conformance(
      "TK-23",
      "client authentication accepts HTTP Basic with an empty password from a public client",
    ),
    async () => {
      const form = await freshExchange({ client_id: undefined }, publicClient);
      expect((await requestToken(form, basicOf(publicClient.id, ""))).status).toBe(200);
    },
  );

  it.each<[string, string]>([
    ["that is not base64", "Basic !!!"],
    ["without a colon", `Basic ${Buffer.from("abc").toString("base64")}`],
    ["without an id", basicOf("", "secret")],
    ["that is empty", "Basic "],
    ["without a value after the scheme", "Basic"],
    ["with U+0000", basicOf("a\0b", "c")],
    ["with an encoded U+0000", basicOf("a%00b", "c%00")],
    ["with bytes that are not UTF-8", `Basic ${Buffer.of(0x61, 0xff, 0x3a, 0xff).toString("base64")}`],
    ["with a broken escape", basicOf("a%zz", "b%zz")],
  ])(
    conformance(
      "TK-09",
      "XC-09",
      "client authentication responds with a Basic challenge to a Basic header %s",
    ),
    async (_how, header) => {
      const response = await requestToken(await freshExchange(anonymous), header);
      expect(response).toMatchObject(refusal("invalid_client"));
      expect(response.headers.get("www-authenticate")).toMatch(/^Basic realm="/);
    },
  );

  it(
    conformance(
      "TK-10",
      "client authentication responds with a Basic challenge to a wrong secret in HTTP Basic",
    ),
    async () => {
      const response = await requestToken(await freshExchange(anonymous), basicOf(client.id, other.secret));
      expect(response).toMatchObject(refusal("invalid_client"));
      expect(response.headers.get("www-authenticate")).toMatch(/^Basic realm="/);
    },
  );

  it(
    conformance(
      "TK-11",
      "TK-13",
      "AT-50",
      "client authentication returns the same error for a wrong secret, an unknown client and a missing client",
    ),
    async () => {
      const form = await freshExchange();
      const wrong = await requestToken({ ...form, client_secret: other.secret });
      const unknown = await requestToken({ ...form, client_id: "unknown" });
      const none = await requestToken({ ...form, ...anonymous });
      expect(wrong).toMatchObject(refusal("invalid_client"));
      expect([unknown.status, unknown.body]).toEqual([401, wrong.body]);
      expect([none.status, none.body]).toEqual([401, wrong.body]);
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it.each<[string, Fields]>([
    ["no secret", { client_secret: undefined }],
    ["an empty secret", { client_secret: "" }],
  ])(
    conformance(
      "TK-12",
      "AT-29",
      "client authentication refuses a confidential client with %s, and names the reason",
    ),
    async (_what, changes) => {
      const { status, body } = await requestToken(await freshExchange(changes));
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: "invalid_client", error_description: expect.stringMatching(/client_secret/) },
      });
    },
  );

  it(conformance("TK-14", "client authentication refuses a public client that sends a secret"), async () => {
    const form = await freshExchange({ client_secret: client.secret }, publicClient);
    expect(await requestToken(form)).toMatchObject(refusal("invalid_client"));
  });

  it(
    conformance(
      "SC-25",
      "client authentication accepts HTTP Basic credentials and the same credentials in the form, percent-encoded or not",
    ),
    async () => {
      const { id, secret = "" } = client;
      for (const header of [basicOf(id, secret), basicOf(percent(id), percent(secret))])
        expect((await requestToken(await freshExchange(), header)).status).toBe(200);
      const secretAlone = await freshExchange({ client_id: undefined });
      expect((await requestToken(secretAlone, basicOf(id, secret))).status).toBe(200);
    },
  );

  it.each(["Basic Og==", "basic   Og=="])(
    conformance("SC-25", "client authentication treats the empty credentials %s as no credentials"),
    async (header) => {
      expect((await requestToken(await freshExchange(), header)).status).toBe(200);
      const form = await freshExchange({}, publicClient);
      expect((await requestToken(form, header)).status).toBe(200);
      const response = await requestToken(await freshExchange(anonymous), header);
      expect(response).toMatchObject(refusal("invalid_client"));
    },
  );

  it(
    conformance(
      "TK-15",
      "client authentication refuses a request whose header and form have different credentials or different clients",
    ),
    async () => {
      const form = await freshExchange();
      const header = basicOf(client.id, client.secret);
      for (const wrong of [other.secret, "x", ` ${client.secret}`])
        expect(await requestToken({ ...form, client_secret: wrong }, header)).toMatchObject(
          refusal("invalid_request"),
        );
      const blank = basicOf(client.id, "");
      expect(await requestToken(form, blank)).toMatchObject(refusal("invalid_request"));
      const two = { ...form, client_secret: undefined, client_id: other.id };
      expect(await requestToken(two, header)).toMatchObject(refusal("invalid_request"));
    },
  );

  it(
    conformance("AT-30", "client authentication refuses two Authorization headers in one request"),
    async () => {
      const header = basicOf(client.id, client.secret);
      const form = await freshExchange(anonymous);
      expect(await requestToken(form, `${header}, ${header}`)).toMatchObject(refusal("invalid_request"));
      expect(await requestToken(form, `Bearer x, ${header}`)).toMatchObject(refusal("invalid_request"));
      // The password grant needs no client, but a client that is sent must be valid.
      const password = { grant_type: "password", username: "ann", password: PASSWORD };
      for (const two of [`Bearer x, ${header}`, "Bearer x, Basic YmFkOmJhZA=="])
        expect(await requestToken(password, two)).toMatchObject(refusal("invalid_request"));
    },
  );

  it(
    conformance(
      "TK-22",
      "client authentication accepts either of two secrets, and rejects a removed secret immediately without revoking tokens",
    ),
    async () => {
      const rotating = await registeredClient(deps, ann.user);
      const { id } = rotating.application;
      const { body } = await requestToken(await freshExchange({}, rotating));
      const added = await addSecret(deps, ann.user, id);
      const second = { client_secret: typeof added === "object" ? added.secret : "none" };
      expect((await requestToken(await freshExchange({}, rotating))).status).toBe(200);
      expect((await requestToken(await freshExchange(second, rotating))).status).toBe(200);
      const [old] = await secretsOf(deps, ann.user, id);
      await removeSecret(deps, ann.user, id, old?.id ?? 0);
      const form = await freshExchange({}, rotating);
      expect(await requestToken(form)).toMatchObject(refusal("invalid_client"));
      expect((await requestToken({ ...form, ...second })).status).toBe(200);
      expect(await bearerStatus(body["access_token"])).toBe(200);
    },
  );

  it("client authentication reports that an application is blocked only after the application authenticates", async () => {
    const blocked = await registeredClient(deps, ann.user);
    const form = await freshExchange({}, blocked);
    await setBlocked(deps, ann.user, blocked.application.id, true);
    const refused = await requestToken(form);
    expect(refused).toMatchObject(refusal("invalid_client"));
    expect(refused.body["error_description"]).toMatch(/blocked/);
    const wrong = await requestToken({ ...form, client_secret: "wrong" });
    expect(wrong.body["error_description"]).not.toMatch(/blocked/);
    await setBlocked(deps, ann.user, blocked.application.id, false);
    expect((await requestToken(form)).status).toBe(200);
  });
});

describe("removing an application", () => {
  it(
    conformance(
      "TK-21",
      "removing an application invalidates its client credentials, authorization codes and tokens",
    ),
    async () => {
      const removed = await registeredClient(deps, ann.user);
      const { body } = await requestToken(await freshExchange({}, removed));
      const form = await freshExchange({}, removed);
      expect(await remove(deps, ann.user, removed.application.id)).toMatchObject({
        name: removed.application.name,
      });
      expect(await requestToken(form)).toMatchObject(refusal("invalid_client"));
      expect(await bearerStatus(body["access_token"])).toBe(401);
    },
  );
});

/** Returns the text with every octet percent-encoded, as RFC 6749, appendix B, allows. */
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
