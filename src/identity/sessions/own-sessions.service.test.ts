import { beforeEach, describe, expect, it } from "vitest";
import { writeLastUses } from "@/instance/last-use/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { firstPage } from "@/kernel/paging/paging.ts";
import { type SignedInUser, signedInCookie, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { endOtherSessions, endOwnSession, ownSessions } from "./own-sessions.ts";
import { sessionOf } from "./service.ts";

const deps = await openTestDeps();

let users = 0;
let ann: SignedInUser;

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
});

async function sessionBehind(cookie: string) {
  const session = await sessionOf(deps, cookie);
  if (session === null) throw new Error("The session is not live.");
  return session;
}

const listed = async (cookie: string) =>
  (await ownSessions(deps, await sessionBehind(cookie), firstPage(20, { descending: true }))).rows;

it("the list of sessions contains the sessions of the user and marks the current session", async () => {
  deps.advance(60);
  const other = await signedInCookie(ann.user.username);
  await deps.db.session.updateMany({
    where: { userId: ann.user.id },
    data: { address: "203.0.113.7", userAgent: "Mozilla/5.0 (X11; Linux) Firefox/140.0" },
  });
  await signedInUser(deps, `eve${users}`);
  const sessions = await listed(ann.cookie);
  expect(sessions.map(({ current }) => current)).toEqual([false, true]);
  expect(sessions[0]).toMatchObject({
    address: "203.0.113.7",
    userAgent: expect.stringContaining("Firefox"),
    createdAt: deps.clock(),
  });
  expect(sessions[1]?.lastSeenAt, "the time of the last use is the current time").toEqual(deps.clock());
  expect((await listed(other)).map(({ current }) => current)).toEqual([true, false]);
  expect(JSON.stringify(sessions)).not.toContain("digest");
});

it("a user can immediately end another of their own sessions, and the audit log records the end of the session", async () => {
  const other = await signedInCookie(ann.user.username);
  const session = await sessionBehind(ann.cookie);
  const [newest] = await listed(ann.cookie);
  expect(await endOwnSession(deps, session, newest?.id ?? 0)).toBe(true);
  expect(await sessionOf(deps, other)).toBeNull();
  expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
  expect(await endOwnSession(deps, session, newest?.id ?? 0), "a second time").toBe(false);
  const events = await deps.db.auditEvent.findMany({
    where: { name: "session.ended", userId: ann.user.id },
    orderBy: { id: "asc" },
  });
  expect(events.map(({ details }) => details)).toEqual(['{"count":1}']);
});

it("the list of sessions cannot be used to end the current session or a session of another user", async () => {
  const eve = await signedInUser(deps, `eve${users}`);
  const session = await sessionBehind(eve.cookie);
  for (const { id } of [...(await listed(ann.cookie)), ...(await listed(eve.cookie))])
    expect(await endOwnSession(deps, session, id)).toBe(false);
  expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
  expect(await sessionOf(deps, eve.cookie)).not.toBeNull();
});

it("a user can end all sessions except the current session with one action", async () => {
  const others = [await signedInCookie(ann.user.username), await signedInCookie(ann.user.username)];
  const eve = await signedInUser(deps, `eve${users}`);
  expect(await endOtherSessions(deps, await sessionBehind(ann.cookie))).toBe(true);
  for (const cookie of others) expect(await sessionOf(deps, cookie)).toBeNull();
  expect(await listed(ann.cookie)).toHaveLength(1);
  expect(await sessionOf(deps, eve.cookie)).not.toBeNull();
  expect(await endOtherSessions(deps, await sessionBehind(ann.cookie)), "a second time").toBe(false);
});

it("the list of sessions does not contain expired sessions", async () => {
  deps.advance(1_000);
  const { expiresAt } = await deps.db.session.findFirstOrThrow({ where: { userId: ann.user.id } });
  deps.advance((expiresAt.getTime() - deps.clock().getTime()) / 1_000 - 1);
  const fresh = await signedInCookie(ann.user.username);
  expect(await listed(fresh)).toHaveLength(2);
  deps.advance(1);
  expect(await listed(fresh)).toHaveLength(1);
});

describe(conformance("SC-03", "an administrator's session"), () => {
  const HOUR = 3_600;
  beforeEach(async () => {
    await changeSettings(deps, { admin_session_idle_limit: String(12 * HOUR) });
    await deps.db.user.update({ where: { id: ann.user.id }, data: { admin: true } });
  });

  it("the session of an administrator ends permanently after 12 hours without use", async () => {
    deps.advance(12 * HOUR + 5 * 60 + 1);
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    await changeSettings(deps, { admin_session_idle_limit: "0" });
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
  });

  it("each use of an administrator's session extends the session by the full idle limit", async () => {
    for (let round = 0; round < 3; round++) {
      // A use of the session shortly after a stored use is not stored, but still extends the session.
      await sessionOf(deps, ann.cookie);
      await writeLastUses(deps);
      deps.advance(299);
      expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
      await writeLastUses(deps);
      deps.advance(12 * HOUR);
      expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
      await writeLastUses(deps);
    }
  });

  it("an administrator's session has no idle limit if the setting is 0, and sessions of users who are not administrators never have an idle limit", async () => {
    const eve = await signedInUser(deps, `eve${users}`);
    deps.advance(24 * HOUR);
    expect(await sessionOf(deps, eve.cookie)).not.toBeNull();
    await changeSettings(deps, { admin_session_idle_limit: "0" });
    expect(await sessionOf(deps, ann.cookie)).not.toBeNull();
  });

  it.each(["createdAt", "provenAt", "lastSeenAt"])(
    "the list of sessions does not contain the session of an administrator that exceeds the idle limit since %s",
    async (column) => {
      await signedInCookie(ann.user.username);
      await writeLastUses(deps);
      const newest = { where: { userId: ann.user.id }, orderBy: { id: "desc" } } as const;
      const { id } = await deps.db.session.findFirstOrThrow(newest);
      await deps.db.session.update({ where: { id }, data: { [column]: deps.clock() } });
      deps.advance(11 * HOUR);
      await sessionOf(deps, ann.cookie);
      await writeLastUses(deps);
      deps.advance(2 * HOUR);
      expect((await listed(ann.cookie)).map(({ current }) => current)).toEqual([true]);
    },
  );
});
