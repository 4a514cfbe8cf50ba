import { beforeAll, describe, expect, it } from "vitest";
import {
  bearerStatus,
  PASSWORD,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { NEWEST, nextTo } from "@/testing/pages.ts";
import { insertUser } from "@/testing/rows.ts";
import { sessionOf } from "../sessions/service.ts";
import { resetSecondFactor } from "../two-factor/service.ts";
import {
  blockUserAsAdministrator,
  createUserAsAdministrator,
  findUser,
  listUsersForAdministrators,
  setAdministrator,
  unblockUserAsAdministrator,
} from "./administration.ts";
import { ghostUserId } from "./ghost.ts";

const deps = await openTestDeps();
let boss: SignedInUser;

beforeAll(async () => {
  boss = await administrator("boss");
});

async function administrator(username: string): Promise<SignedInUser> {
  const user = await signedInUser(deps, username);
  await deps.db.user.update({ where: { id: user.user.id }, data: { admin: true } });
  return user;
}

const lastEvent = () => deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "desc" } });

it("the pages of administrators show neither the ghost user nor, in the list of users, a bot", async () => {
  const ghost = await ghostUserId(deps);
  expect(await findUser(deps, ghost)).toBeNull();
  const bot = await insertUser(deps.db, "bot");
  await deps.db.user.update({ where: { id: bot.id }, data: { kind: "application_bot" } });
  expect(await findUser(deps, bot.id)).toMatchObject({ username: "bot", kind: "application_bot" });
  const { rows } = await listUsersForAdministrators(deps, "", NEWEST);
  expect(rows.map(({ id }) => id)).toEqual([boss.user.id]);
});

describe("blocking a user", () => {
  it("blocking a user ends sessions and access tokens, and the user cannot sign in or use the password grant until unblocking", async () => {
    const ann = await signedInUser(deps, "ann");
    const client = await registeredClient(deps, boss.user);
    const login = { username: "ann", password: PASSWORD };
    const of = { client_id: client.id, client_secret: client.secret };
    const grant = { grant_type: "password", ...login, ...of, scope: "read_user" };
    const token = (await requestToken(grant)).body["access_token"];
    expect(await bearerStatus(token)).toBe(200);

    expect(await blockUserAsAdministrator(deps, boss.user, ann.user.id)).toBeNull();
    expect(await deps.db.auditEvent.findFirst({ where: { name: "access.revoked" } })).toMatchObject({
      details: '{"because":"blocked","grants":1,"personalTokens":0}',
      userId: ann.user.id,
      actorId: boss.user.id,
    });
    expect(await lastEvent()).toMatchObject({
      name: "user.blocked",
      userId: ann.user.id,
      actorId: boss.user.id,
    });
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await bearerStatus(token)).toBe(401);
    expect(await requestToken(grant)).toMatchObject(refusal("invalid_grant"));
    await expect(signedInCookie("ann")).rejects.toThrow("could not sign in");

    const events = await deps.db.auditEvent.count({ where: { name: "user.blocked" } });
    expect(await blockUserAsAdministrator(deps, boss.user, ann.user.id)).toBeNull();
    expect(await deps.db.auditEvent.count({ where: { name: "user.blocked" } })).toBe(events);

    expect(await unblockUserAsAdministrator(deps, boss.user, ann.user.id)).toBeNull();
    expect(await bearerStatus(token), "unblocking does not restore the access token").toBe(401);
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await signedInCookie("ann")).toContain("gatehouse_session=");
  });

  it("an administrator cannot block their own account or an unknown user, and a caller who is no longer an administrator cannot block a user", async () => {
    expect(await blockUserAsAdministrator(deps, boss.user, boss.user.id)).toBe("self");
    expect(await setAdministrator(deps, boss.user, boss.user.id, false)).toBe("self");
    expect(await blockUserAsAdministrator(deps, boss.user, 999_999)).toBe("unknown");
    const late = await administrator("late");
    expect(await setAdministrator(deps, boss.user, late.user.id, false)).toBeNull();
    expect(await lastEvent()).toMatchObject({ name: "user.admin_changed", details: '{"admin":false}' });
    expect(await blockUserAsAdministrator(deps, late.user, boss.user.id)).toBe("not_administrator");
    expect(await findUser(deps, boss.user.id)).toMatchObject({ state: "active", admin: true });
  });

  it("one administrator remains when administrators block and demote each other simultaneously", async () => {
    const left = (await administrator("left")).user;
    const right = (await administrator("right")).user;
    const outcomes = await Promise.all([
      blockUserAsAdministrator(deps, left, right.id),
      setAdministrator(deps, right, left.id, false),
    ]);
    expect(outcomes.toSorted()).toEqual(["not_administrator", null]);
  });
});

describe("removing the second factor of a user", () => {
  it("an administrator can remove the second factor of another user, and the audit log records the administrator", async () => {
    const { user } = await signedInUser(deps, "lost");
    const events = () => deps.db.auditEvent.count({ where: { name: "two_factor.disabled" } });
    expect(await resetSecondFactor(deps, boss.user, user.id)).toBeNull();
    expect(await events()).toBe(0);
    await deps.db.user.update({ where: { id: user.id }, data: { twoFactorSince: deps.clock() } });
    await deps.db.recoveryCode.create({ data: { userId: user.id, digest: "x" } });
    expect(await resetSecondFactor(deps, boss.user, user.id)).toBeNull();
    expect(await findUser(deps, user.id)).toMatchObject({ twoFactorSince: null });
    expect(await deps.db.recoveryCode.count({ where: { userId: user.id } })).toBe(0);
    expect(await lastEvent()).toMatchObject({
      name: "two_factor.disabled",
      userId: user.id,
      actorId: boss.user.id,
    });
    expect(await resetSecondFactor(deps, boss.user, boss.user.id)).toBe("self");
    expect(await resetSecondFactor(deps, boss.user, 999_999)).toBe("unknown");
  });
});

describe("creating a user", () => {
  it("the password that is generated for a new user is returned once, and is neither stored nor recorded in the audit log", async () => {
    const user = { username: "new", email: "new@example.com", name: "", password: "" };
    const created = await createUserAsAdministrator(deps, boss.user, user);
    if (!("password" in created)) throw new Error(JSON.stringify(created));
    expect(created.password).toMatch(/^[\w-]{24}$/);
    const event = await lastEvent();
    expect(event).toMatchObject({ name: "user.created", userId: created.user.id, actorId: boss.user.id });
    const everything = [await deps.db.user.findMany(), await deps.db.auditEvent.findMany()];
    expect(JSON.stringify(everything)).not.toContain(created.password);
  });

  it("a user with invalid fields or a username that is in use is not created, and no audit event is recorded", async () => {
    const events = await deps.db.auditEvent.count();
    const wrong = { username: "-", email: "-", password: "short" };
    expect(await createUserAsAdministrator(deps, boss.user, wrong)).toMatchObject({
      problems: { username: expect.anything(), email: expect.anything(), password: expect.anything() },
    });
    const taken = { username: "BOSS", email: "other@example.com", password: PASSWORD };
    expect(await createUserAsAdministrator(deps, boss.user, taken)).toMatchObject({
      problems: { username: expect.stringContaining("taken") },
    });
    expect(await deps.db.auditEvent.count()).toBe(events);
  });
});

describe("the list of users", () => {
  it("the list of users is paged by id in both directions and contains each user exactly once", async () => {
    for (let n = 0; n < 25; n++) await insertUser(deps.db, `page-${n}`);
    const first = await listUsersForAdministrators(deps, "page-", NEWEST);
    expect(first).toMatchObject({ hasPrevious: false, hasNext: true });
    const last = first.rows.at(-1);
    const second = await listUsersForAdministrators(deps, "page-", nextTo("next", last));
    expect(second).toMatchObject({ hasPrevious: true, hasNext: false });
    expect(second.rows.map(({ username }) => username)).toEqual([4, 3, 2, 1, 0].map((n) => `page-${n}`));
    const back = await listUsersForAdministrators(deps, "page-", nextTo("previous", second.rows[0]));
    expect(back).toEqual({ ...first, hasNext: true });
  });

  it("the list of users without a search text has the same pages", async () => {
    const first = await listUsersForAdministrators(deps, "page-", NEWEST);
    const all = await listUsersForAdministrators(deps, "", NEWEST);
    expect(all).toEqual(first);
    const next = await listUsersForAdministrators(deps, "", nextTo("next", all.rows.at(-1)));
    expect(next.rows.slice(0, 5).map(({ username }) => username)).toEqual(
      [4, 3, 2, 1, 0].map((n) => `page-${n}`),
    );
    const back = await listUsersForAdministrators(deps, "", nextTo("previous", next.rows[0]));
    expect(back).toEqual({ ...first, hasNext: true });
  });

  it("the search for users matches the beginning of a username or e-mail address and any part of a name, ignoring case", async () => {
    await deps.db.user.update({ where: { usernameLower: "page-7" }, data: { name: "Zoë Ölander" } });
    const usernamesMatching = async (search: string) =>
      (await listUsersForAdministrators(deps, search, NEWEST)).rows.map(({ username }) => username);
    expect(await usernamesMatching("PAGE-7")).toEqual(["page-7"]);
    expect(await usernamesMatching("page-7@EX")).toEqual(["page-7"]);
    expect(await usernamesMatching("ölander")).toEqual(["page-7"]);
    expect(await usernamesMatching("lande")).toEqual(["page-7"]);
    expect(await usernamesMatching("age-7")).toEqual([]);
  });

  it("the list of users shows the time of the last sign-in while a session of the user is stored", async () => {
    const users = (await listUsersForAdministrators(deps, "", NEWEST)).rows;
    expect(users.every(({ lastSignIn }) => lastSignIn === null)).toBe(true);
    expect(await findUser(deps, boss.user.id)).toMatchObject({ lastSignIn: deps.clock() });
  });
});
