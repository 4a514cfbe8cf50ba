import * as tokenRoute from "@app/oauth/token/route.ts";
import { POST as postSession } from "@app/users/session/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import {
  authorizationQuery,
  type Client,
  codeFor,
  encoded,
  exchangeOf,
  type Fields,
  formPost,
  PASSWORD,
  postToken,
  refusal,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { serveRoutes } from "@/testing/mounted-routes.ts";

const deps = await openTestDeps();
const FORM = { "content-type": "application/x-www-form-urlencoded" };

let ann: SignedInUser;
let client: Client;
let other: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  await signedInUser(deps, "ben");
  client = await registeredClient(deps, ann.user, { scopes: ["api", "read_user"] });
  other = await registeredClient(deps, ann.user, { scopes: ["api", "read_user"] });
});

// Each test has its own rate-limit windows.
beforeEach(async () => {
  deps.advance(400);
  await changeSettings(deps, {
    limit_oauth_refused: "5",
    limit_password_per_login: "4",
    limit_password_per_login_in_all: "100",
    limit_password_per_device: "4",
    limit_password_per_address: "6",
  });
});

const from = (ipAddress: string) => ({ ...FORM, [CLIENT_IP_HEADER]: ipAddress });
const post = (fields: Fields, ipAddress = "192.0.2.1") => postToken(encoded(fields), from(ipAddress));

const badCode = (by: Client = client): Fields => exchangeOf(by, "ghac_unknown");
const badSecret = (by: Client = client): Fields => exchangeOf(by, "x", { client_secret: "wrong" });

/** Checks that a response reports an exceeded limit, and not a wrong secret or token. */
function expectLimited(response: Awaited<ReturnType<typeof post>>, seconds: number): void {
  expect(response).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
  expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(seconds);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(response.headers.has("www-authenticate")).toBe(false);
}

describe("failed client authentications and grants", () => {
  it.each<[string, () => Fields, string]>([
    ["wrong secrets", badSecret, "invalid_client"],
    ["unknown codes", badCode, "invalid_grant"],
    [
      "unknown refresh tokens",
      () => ({ ...badCode(), grant_type: "refresh_token", refresh_token: "x" }),
      "invalid_grant",
    ],
    ["unknown clients", () => exchangeOf({ ...client, id: String(Math.random()) }, "x"), "invalid_client"],
    ["requests without a client", () => ({ grant_type: "authorization_code" }), "invalid_client"],
  ])(
    "failed client authentications and grants are limited per client and IP address: %s",
    async (_what, bad, error) => {
      for (let failure = 0; failure < 5; failure++) expect(await post(bad())).toMatchObject(refusal(error));
      expectLimited(await post(bad()), 60);
      expect(await post(bad(), "192.0.2.2")).toMatchObject(refusal(error));
      deps.advance(60);
      expect(await post(bad())).toMatchObject(refusal(error));
    },
  );

  it("after too many refused token requests, correct requests of the same client from the same IP address still succeed", async () => {
    const codes = [];
    for (let code = 0; code < 3; code++)
      codes.push(await codeFor(deps, ann, authorizationQuery(client, { scope: "read_user" })));
    for (let failure = 0; failure < 7; failure++) await post(badCode());
    expectLimited(await post(badCode()), 60);
    for (const code of codes) expect((await post(exchangeOf(client, code))).status).toBe(200);
    expectLimited(await post(badCode()), 60);
  });

  it("failed authentications of one client do not count for another client", async () => {
    for (let failure = 0; failure < 6; failure++) await post(badSecret());
    expectLimited(await post(badSecret()), 60);
    expect(await post(badSecret(other))).toMatchObject(refusal("invalid_client"));
  });

  it("malformed requests do not count as failed authentications", async () => {
    for (let failure = 0; failure < 12; failure++)
      expect(await post({ ...badCode(), code: undefined })).toMatchObject(refusal("invalid_request"));
    expect(await post(badCode())).toMatchObject(refusal("invalid_grant"));
  });

  it("failed authentications are not limited when the limit is disabled", async () => {
    for (let failure = 0; failure < 6; failure++) await post(badSecret());
    await changeSettings(deps, { limit_oauth_refused: "0" });
    for (let failure = 0; failure < 12; failure++)
      expect(await post(badSecret())).toMatchObject(refusal("invalid_client"));
  });
});

const grant = (changes: Fields = {}, ipAddress?: string) =>
  post({ grant_type: "password", username: "ann", password: "wrong", ...changes }, ipAddress);

/**
 * Submits the sign-in form.
 * @returns the query of the redirect.
 */
async function signIn(login: string, password: string, ipAddress = "192.0.2.1"): Promise<URLSearchParams> {
  const headers = { [CLIENT_IP_HEADER]: ipAddress };
  const response = await postSession(formPost("/users/session", encoded({ login, password }), headers));
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "").searchParams;
}

describe("wrong passwords", () => {
  beforeEach(() => changeSettings(deps, { limit_oauth_refused: "0" }));

  it.each(["ann", "nobody at all"])(
    conformance(
      "SC-07",
      "AT-24",
      "PW-11",
      "the number of wrong passwords is limited for each username and network, here for the username %s",
    ),
    async (name) => {
      for (let guess = 0; guess < 4; guess++)
        expect(await grant({ username: name })).toMatchObject(refusal("invalid_grant"));
      expectLimited(await grant({ username: name }), 180);
      expectLimited(await grant({ username: name.toUpperCase() }), 180);
      expectLimited(await grant({ username: name, password: PASSWORD }), 180);
      expect((await grant({ username: "ben", password: PASSWORD })).status).toBe(200);
      deps.advance(180);
      expect(await grant({ username: name })).toMatchObject(refusal("invalid_grant"));
    },
  );

  it(
    conformance(
      "SC-07",
      "wrong passwords from one IP address do not prevent the user from signing in at another IP address",
    ),
    async () => {
      for (let guess = 0; guess < 5; guess++) await grant({}, "192.0.2.66");
      for (let guess = 0; guess < 5; guess++) await signIn("ann", "wrong", "192.0.2.66");
      expectLimited(await grant({ password: PASSWORD }, "192.0.2.66"), 180);
      expect((await grant({ password: PASSWORD })).status).toBe(200);
      expect((await signIn("ann", PASSWORD)).has("problem")).toBe(false);
    },
  );

  it(
    conformance(
      "SC-07",
      "wrong passwords from all IP addresses of one IPv6 /64 network are counted together",
    ),
    async () => {
      for (let guess = 0; guess < 4; guess++) await grant({}, `2001:db8:1:2::${guess}`);
      expectLimited(await grant({ password: PASSWORD }, "2001:db8:1:2:ffff::9"), 180);
      expect((await grant({ password: PASSWORD }, "2001:db8:1:3::9")).status).toBe(200);
    },
  );

  it.each(["ann", "nobody at all"])(
    conformance(
      "SC-07",
      "AT-24",
      "the number of wrong passwords for one username is limited over all IP addresses, here for the username %s",
    ),
    async (name) => {
      deps.advance(3_600);
      await changeSettings(deps, { limit_password_per_login_in_all: "6" });
      for (let guess = 0; guess < 6; guess++)
        expect(await grant({ username: name }, `192.0.2.${guess}`)).toMatchObject(refusal("invalid_grant"));
      expectLimited(await grant({ username: name, password: PASSWORD }, "192.0.2.99"), 3_600);
      deps.advance(3_600);
      expect(await grant({ username: name }, "192.0.2.99")).toMatchObject(refusal("invalid_grant"));
    },
  );

  it(
    conformance(
      "SC-07",
      "wrong passwords for a username and for the e-mail address of the same user count together",
    ),
    async () => {
      for (let guess = 0; guess < 2; guess++) {
        await grant();
        await grant({ username: "ann@example.com" });
      }
      for (const username of ["ann", "ann@example.com"])
        expect(await grant({ username, password: PASSWORD })).toMatchObject(refusal("invalid_grant"));
      deps.advance(180);
      expect((await grant({ password: PASSWORD })).status).toBe(200);
    },
  );

  it(
    conformance(
      "SC-07",
      "AT-23",
      "wrong passwords do not reveal which e-mail address belongs to which username, or which of them exist",
    ),
    async () => {
      const responses = async (logins: readonly string[]) => {
        deps.advance(400);
        const collected = [];
        for (const username of logins)
          for (let guess = 0; guess < 5; guess++) {
            const { status, body } = await grant({ username });
            collected.push({ status, body });
          }
        return collected;
      };
      const unknown = await responses(["nobody", "nobody@example.com"]);
      expect(await responses(["ann", "ann@example.com"])).toEqual(unknown);
      expect(await responses(["ann", "ben@example.com"])).toEqual(unknown);
    },
  );

  it(
    conformance(
      "SC-07",
      "AT-23",
      "wrong passwords at the sign-in page do not reveal which users have a second factor",
    ),
    async () => {
      await signedInUser(deps, "fay");
      await deps.db.user.update({ where: { usernameLower: "fay" }, data: { twoFactorSince: deps.clock() } });
      const statuses = [];
      for (const username of ["ann", "fay", "nobody"]) {
        deps.advance(400);
        for (let guess = 0; guess < 4; guess++) await signIn(username, "wrong");
        statuses.push((await grant({ username })).status);
      }
      expect(statuses).toEqual([400, 400, 400]);
    },
  );

  it(
    conformance(
      "AT-24",
      "the number of wrong passwords for all usernames together is limited for each IP address",
    ),
    async () => {
      for (let guess = 0; guess < 6; guess++)
        expect(await grant({ username: `nobody${guess}` })).toMatchObject(refusal("invalid_grant"));
      expectLimited(await grant({ username: "ann", password: PASSWORD }), 180);
      expect((await grant({ username: "ann", password: PASSWORD }, "192.0.2.2")).status).toBe(200);
    },
  );

  it(
    conformance(
      "SC-07",
      "AT-24",
      "PW-11",
      "wrong passwords at the sign-in page and in the password grant count together",
    ),
    async () => {
      for (let guess = 0; guess < 2; guess++) {
        expect((await signIn("ann", "wrong")).get("problem")).toBe("wrong");
        expect(await grant()).toMatchObject(refusal("invalid_grant"));
      }
      expect((await signIn("ann", PASSWORD)).get("problem")).toBe("wrong");
      expect(await grant({ password: PASSWORD })).toMatchObject(refusal("invalid_grant"));
      deps.advance(180);
      expect((await signIn("ann", PASSWORD)).has("problem")).toBe(false);
    },
  );

  it("after too many wrong passwords, the sign-in page shows how many minutes the user must wait", async () => {
    for (let guess = 0; guess < 4; guess++) await signIn("ann", "wrong");
    const refused = await signIn("ann", PASSWORD);
    expect([refused.get("problem"), refused.get("minutes")]).toEqual(["limit", "3"]);
    deps.advance(125);
    expect((await signIn("ann", PASSWORD)).get("minutes")).toBe("1");
    deps.advance(55);
    expect((await signIn("ann", PASSWORD)).has("problem")).toBe(false);
  });

  it("the limit for wrong passwords never refuses a correct password, even if many requests arrive simultaneously", async () => {
    const rights = Array.from({ length: 30 }, () => grant({ password: PASSWORD }));
    for (const { status } of await Promise.all(rights)) expect(status).toBe(200);
    expect((await signIn("ann", PASSWORD)).has("problem")).toBe(false);
    expect((await signIn("ann", "wrong")).get("problem")).toBe("wrong");
  });

  it(
    conformance(
      "AT-24",
      "AT-25",
      "the limit for wrong passwords is the same for simultaneous and for consecutive requests",
    ),
    async () => {
      const guesses = Array.from({ length: 40 }, () => grant());
      const checkedGuesses = (await Promise.all(guesses)).filter(({ status }) => status === 400);
      // Two passwords can be checked simultaneously.
      expect(checkedGuesses.length).toBeGreaterThanOrEqual(4);
      expect(checkedGuesses.length).toBeLessThanOrEqual(5);
    },
  );

  it(
    conformance(
      "PW-05",
      "password grants that are refused because of a second factor do not lock the user out of the sign-in page",
    ),
    async () => {
      await deps.db.user.update({ where: { usernameLower: "ben" }, data: { twoFactorSince: deps.clock() } });
      for (let guess = 0; guess < 4; guess++)
        expect(await grant({ username: "ben", password: PASSWORD })).toMatchObject(refusal("invalid_grant"));
      expectLimited(await grant({ username: "ben", password: PASSWORD }), 180);
      expect((await signIn("ben", PASSWORD)).has("problem")).toBe(false);
    },
  );

  it("wrong passwords are recorded in the audit log, without the password", async () => {
    await signIn("ann", "wrong horse battery");
    const event = await deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(event).toMatchObject({ name: "sign_in.failed", userId: ann.user.id });
    expect(JSON.parse(event.details)).toEqual({ address: "192.0.2.1" });
  });
});

describe("the IP address that counts for rate limits", () => {
  const guess = async (url: string, name: number, headers: Record<string, string>): Promise<number> =>
    (
      await fetch(`${url}/oauth/token`, {
        method: "POST",
        headers: { ...FORM, ...headers },
        body: encoded({ grant_type: "password", username: `nobody${name}`, password: "x" }),
      })
    ).status;

  it(
    conformance("AT-45", "the rate limits never use an IP address from a header that the caller sets"),
    async () => {
      const url = await serveRoutes({ "/oauth/token": tokenRoute });
      const statuses = [];
      for (let name = 0; name < 8; name++)
        statuses.push(
          await guess(url, name, {
            "x-forwarded-for": `198.51.100.${name}`,
            "x-client-address": `10.0.0.${name}`,
          }),
        );
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
    },
  );

  it(
    conformance(
      "AT-45",
      "the rate limits use the IP address that a trusted proxy added to the header, and ignore all values to the left of this IP address",
    ),
    async () => {
      const url = await serveRoutes({ "/oauth/token": tokenRoute }, "127.0.0.1");
      const statuses = [];
      for (let name = 0; name < 6; name++)
        statuses.push(await guess(url, name, { "x-forwarded-for": `10.1.1.${name}, 203.0.113.5` }));
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
      expect(await guess(url, 9, { "x-forwarded-for": "203.0.113.6" })).toBe(400);
    },
  );
});
