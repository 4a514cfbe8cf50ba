import { beforeAll, describe, expect, it } from "vitest";
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
import { openTestDeps } from "@/testing/deps.ts";
import { NEWEST, nextTo } from "@/testing/pages.ts";
import { revokeTokens } from "../tokens/revocation.ts";
import { findApplication, listAllApplications, setBlocked, setTrusted } from "./administration.ts";

const deps = await openTestDeps();
let boss: SignedInUser;
let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  boss = await signedInUser(deps, "boss");
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user, { name: "Zebra" });
});

const events = () =>
  deps.db.auditEvent.findMany({
    where: { applicationId: client.application.id, actorId: boss.user.id },
    orderBy: { id: "asc" },
    select: { name: true, details: true },
  });

it("revoking all tokens of an application invalidates the access and refresh tokens of all users of the application, and no tokens of other applications", async () => {
  const other = await registeredClient(deps, ann.user, { name: "Other" });
  const tokenOf = async (of: Client, user: SignedInUser) =>
    (await requestToken(exchangeOf(of, await codeFor(deps, user, authorizationQuery(of))))).body;
  const mine = await tokenOf(client, ann);
  const theirs = await tokenOf(client, boss);
  const others = await tokenOf(other, ann);
  expect(await revokeTokens(deps, boss.user, client.application.id)).toBe(2);
  for (const { access_token, refresh_token } of [mine, theirs]) {
    expect(await bearerStatus(access_token)).toBe(401);
    const form = { grant_type: "refresh_token", refresh_token: String(refresh_token) };
    const refreshed = await requestToken({ ...form, client_id: client.id, client_secret: client.secret });
    expect(refreshed).toMatchObject(refusal("invalid_grant"));
  }
  expect(await bearerStatus(others["access_token"])).toBe(200);
  expect(await revokeTokens(deps, boss.user, client.application.id)).toBe(0);
  expect(await bearerStatus((await tokenOf(client, ann))["access_token"])).toBe(200);
});

it("revoking all tokens of an application also works for more grants than one batch can contain", async () => {
  const many = await registeredClient(deps, ann.user, { name: "Many" });
  const row = {
    applicationId: many.application.id,
    userId: ann.user.id,
    grantType: "password",
    scopes: "api",
  };
  const data = Array.from({ length: 450 }, () => ({ ...row, createdAt: deps.clock(), rotations: 0 }));
  await deps.db.tokenFamily.createMany({ data });
  expect(await revokeTokens(deps, boss.user, many.application.id)).toBe(450);
  const left = { applicationId: many.application.id, revokedAt: null };
  expect(await deps.db.tokenFamily.count({ where: left })).toBe(0);
});

it("a trusted application gets an authorization code without consent until an administrator withdraws the trust", async () => {
  const fresh = await signedInUser(deps, "fresh");
  await setTrusted(deps, boss.user, client.application.id, true);
  await setTrusted(deps, boss.user, client.application.id, true);
  expect(redirectParameters(await authorize(authorizationQuery(client), fresh))).toMatchObject({
    code: expect.any(String),
  });
  await setTrusted(deps, boss.user, client.application.id, false);
  const response = await authorize(authorizationQuery(client), fresh);
  expect(response.headers.get("location")).toContain("/oauth/consent?");
  expect((await events()).filter(({ name }) => name === "application.trust_changed")).toEqual([
    { name: "application.trust_changed", details: '{"trusted":true}' },
    { name: "application.trust_changed", details: '{"trusted":false}' },
  ]);
});

it("if a blocked application is blocked again, the time of the first block remains stored, and no second audit event is recorded", async () => {
  const at = deps.clock();
  await setBlocked(deps, boss.user, client.application.id, true);
  deps.advance(60);
  await setBlocked(deps, boss.user, client.application.id, true);
  expect(await findApplication(deps, client.application.id)).toMatchObject({ blockedAt: at });
  await setBlocked(deps, boss.user, client.application.id, false);
  expect(await findApplication(deps, client.application.id)).toMatchObject({ blockedAt: null });
  await setBlocked(deps, boss.user, 999_999, true);
  const names = (await events()).map(({ name }) => name).filter((name) => name.includes("blocked"));
  expect(names).toEqual(["application.blocked", "application.unblocked"]);
});

describe("the list of all applications", () => {
  it("the search in the list of all applications finds part of a name, and the beginning of an Application ID or of an owner's username", async () => {
    const namesMatching = async (search: string) =>
      (await listAllApplications(deps, search, NEWEST)).rows.map(({ name }) => name);
    for (const search of [
      "Zebra",
      "zebra",
      "EBRA".toLowerCase(),
      client.id,
      client.id.slice(0, 12).toUpperCase(),
    ])
      expect(await namesMatching(search), search).toEqual(["Zebra"]);
    expect(await namesMatching("ANN")).toEqual(["Many", "Other", "Zebra"]);
    expect(await namesMatching("nn")).toEqual([]);
  });

  it("the list of all applications is ordered by id, and has links to the next and the previous page", async () => {
    for (let n = 0; n < 22; n++) await registeredClient(deps, boss.user, { name: `P ${n}` });
    const first = await listAllApplications(deps, "boss", NEWEST);
    const second = await listAllApplications(deps, "boss", nextTo("next", first.rows.at(-1)));
    expect(second.rows.map(({ name }) => name)).toEqual(["P 1", "P 0"]);
    const back = await listAllApplications(deps, "boss", nextTo("previous", second.rows[0]));
    expect(back.rows).toEqual(first.rows);
    expect([first.hasNext, second.hasNext, back.hasPrevious]).toEqual([true, false, false]);
  });

  it("the list of applications without a search text contains the applications of all owners in both directions", async () => {
    const ids = (await deps.db.application.findMany({ orderBy: { id: "desc" } })).map(({ id }) => id);
    const idsOf = ({ rows }: Awaited<ReturnType<typeof listAllApplications>>) => rows.map(({ id }) => id);
    const first = await listAllApplications(deps, "", NEWEST);
    expect(idsOf(first)).toEqual(ids.slice(0, 20));
    expect(first.rows[0]).toEqual(await findApplication(deps, ids[0] ?? 0));
    const second = await listAllApplications(deps, "", nextTo("next", first.rows.at(-1)));
    expect(idsOf(second)).toEqual(ids.slice(20, 40));
    expect(idsOf(await listAllApplications(deps, "", nextTo("previous", second.rows[0])))).toEqual(
      idsOf(first),
    );
  });
});
