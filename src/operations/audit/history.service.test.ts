import { GET } from "@app/admin/audit_events/export/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { requestDeletion } from "@/identity/users/account-deletion.ts";
import { blockUserAsAdministrator } from "@/identity/users/administration.ts";
import { deleteDueAccounts } from "@/identity/users/deletion-job.ts";
import { record } from "@/instance/audit/service.ts";
import { setBlocked } from "@/oauth/applications/administration.ts";
import { ORIGIN, registeredClient, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { type EventFilter, eventsInBatches, filterFrom, listEvents } from "./history.ts";
import { EVENTS_PER_PAGE, readEventPaging, readSearch, writeEventKey } from "./schema.ts";

const deps = await openTestDeps();
const ALL: EventFilter = { name: null, userId: null, applicationId: null, from: null, until: null };
const NAME = `=cmd|' /C calc'!A0, "quoted"; =x`;

let boss: SignedInUser;
let ann: SignedInUser;
let applicationUid: string;

beforeAll(async () => {
  // These tests advance the clock by days. Without an idle limit (0), the session of the administrator stays
  // valid.
  await deps.db.setting.create({
    data: { key: "admin_session_idle_limit", value: "0", updatedAt: deps.clock() },
  });
  boss = await signedInUser(deps, "boss");
  await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
  ann = await signedInUser(deps, "ann");
  const { application } = await registeredClient(deps, ann.user, { name: NAME });
  applicationUid = application.uid;
  deps.advance(86_400);
  await setBlocked(deps, boss.user, application.id, true);
  deps.advance(86_400);
  // All events have the same time, so that only their ids differ.
  for (let n = 0; n < EVENTS_PER_PAGE * 2 + 5; n++)
    await record(deps, "sign_in.failed", { address: `192.0.2.${n}` }, { userId: ann.user.id });
  deps.advance(86_400);
  await blockUserAsAdministrator(deps, boss.user, ann.user.id);
});

const filterOf = async (query: Record<string, string>): Promise<EventFilter> => {
  const filtered = await filterFrom(deps, readSearch(query));
  if ("problems" in filtered) throw new Error(JSON.stringify(filtered.problems));
  return filtered.filter;
};
const NEWEST = readEventPaging({});

const namesFor = async (query: Record<string, string>) =>
  (await listEvents(deps, await filterOf(query), NEWEST)).rows.map(({ name }) => name);

describe("the list of audit events", () => {
  it.each<[string, () => EventFilter]>([
    ["all events", () => ALL],
    ["the events of a user", () => ({ ...ALL, userId: ann.user.id })],
    ["the events with one name", () => ({ ...ALL, name: "sign_in.failed" })],
  ])(
    "the pages of the list of audit events contain each audit event exactly once, in both directions: %s",
    async (_name, filter) => {
      const whole: number[] = [];
      for await (const batch of eventsInBatches(deps, filter(), 1_000))
        whole.push(...batch.map(({ id }) => id));
      const forth: number[] = [];
      let paging = NEWEST;
      let first = "";
      for (let page = 0; page < 10; page++) {
        const slice = await listEvents(deps, filter(), paging);
        forth.push(...slice.rows.map(({ id }) => id));
        const [top, bottom] = [slice.rows[0], slice.rows.at(-1)];
        if (top === undefined || bottom === undefined) throw new Error("A page is empty.");
        first = writeEventKey(top);
        if (!slice.hasNext) break;
        paging = readEventPaging({ before: writeEventKey(bottom) });
      }
      expect(forth).toEqual(whole);
      expect(whole.length).toBeGreaterThan(EVENTS_PER_PAGE * 2);
      const back = await listEvents(deps, filter(), readEventPaging({ after: first }));
      const at = whole.indexOf(forth.at(-1) ?? 0);
      const rest = whole.length - (whole.length % EVENTS_PER_PAGE);
      expect(at).toBe(whole.length - 1);
      expect(back.rows.map(({ id }) => id)).toEqual(whole.slice(rest - EVENTS_PER_PAGE, rest));
      expect(back.hasNext).toBe(true);
    },
  );

  it("the list of audit events contains each event of a user once, whether the user is the subject or the actor", async () => {
    expect(await namesFor({ person: "boss" })).toEqual([
      "user.blocked",
      "application.blocked",
      "sign_in.succeeded",
    ]);
    expect(await namesFor({ person: "ANN@example.com", name: "user.blocked" })).toEqual(["user.blocked"]);
    expect(await namesFor({ person: "ann", name: "application.blocked" })).toEqual([]);
  });

  it("the list of audit events can be filtered by the id and the name of an application, and by day", async () => {
    for (const application of [applicationUid, NAME])
      expect(await namesFor({ application })).toEqual(["application.blocked", "application.registered"]);
    const day = "2026-11-22";
    expect(await namesFor({ from: day, to: day })).toEqual(["application.blocked"]);
    expect(await namesFor({ to: "2026-11-21" })).toEqual([
      "application.registered",
      "sign_in.succeeded",
      "sign_in.succeeded",
    ]);
    expect(await namesFor({ from: "2026-11-24" })).toEqual(["user.blocked"]);
  });

  it("if a filter value matches no row, the error message explains how to correct the filter value", async () => {
    const search = {
      name: "x",
      person: "\0nobody",
      application: "none",
      from: "2026-02-30",
      to: "0000-01-01",
    };
    const filtered = await filterFrom(deps, readSearch(search));
    expect("problems" in filtered && Object.keys(filtered.problems).toSorted()).toEqual(
      Object.keys(search).toSorted(),
    );
  });

  it("the list of audit events ignores an invalid cursor", async () => {
    for (const before of ["x", "1-0", `1-${2 ** 31}`, "99999999999999-1"])
      expect(readEventPaging({ before }).cursor).toBeNull();
  });
});

const exported = (query: string, cookie = boss.cookie): Promise<Response> =>
  GET(new Request(`${ORIGIN}/admin/audit_events/export${query}`, { headers: { cookie } }));

describe("the export of audit events", () => {
  it("the export of audit events writes the matching events as JSON Lines, in batches", async () => {
    const response = await exported("?format=jsonl");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="audit-events-[\d-]+\.jsonl"$/,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    const events = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toHaveLength(await deps.db.auditEvent.count());
    expect(events[0]).toMatchObject({ event: "user.blocked", actor: "boss", person: "ann", details: {} });
    let batches = 0;
    for await (const batch of eventsInBatches(deps, ALL, 10)) {
      expect(batch.length).toBeLessThanOrEqual(10);
      batches += 1;
    }
    expect(batches).toBe(Math.ceil(events.length / 10));
  });

  it("the CSV export of audit events escapes values that a spreadsheet program would execute as formulas", async () => {
    const text = await (await exported("?format=csv&name=application.blocked")).text();
    const [head, line] = text.split("\r\n");
    expect(head).toBe("id,at,event,actor,person,application,application_id,details");
    expect(line).toContain(`,application.blocked,boss,,"'=cmd|' /C calc'!A0, ""quoted"";' =x",`);
  });

  it("the export of audit events stops reading from the database when the client stops reading", async () => {
    const { body } = await exported("?format=csv");
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^id,at,/);
    await reader?.cancel();
    expect((await reader?.read())?.done).toBe(true);
  });

  it("the export of audit events requires an administrator, and responds to an invalid filter with an error message", async () => {
    const eve = await signedInUser(deps, "eve");
    expect((await exported("", eve.cookie)).status).toBe(404);
    const nobody = await exported("?person=ann&format=csv", "");
    expect(nobody.status).toBe(303);
    expect(nobody.headers.get("location")).toBe(
      `${ORIGIN}/users/sign_in?return_to=${encodeURIComponent("/admin/audit_events?person=ann")}`,
    );
    for (const query of ["?format=xml", "?person=nobody", "?from=soon"])
      expect((await exported(query)).status, query).toBe(400);
  });
});

describe("the events of a deleted user", () => {
  it("the events of a deleted user are shown with the username and can be found by the username", async () => {
    const { user } = await signedInUser(deps, "zoe");
    await requestDeletion(deps, boss.user, user.id, { hard: false });
    await deleteDueAccounts(deps);
    const { rows } = await listEvents(deps, await filterOf({ person: "zoe" }), NEWEST);
    expect(rows.map(({ name }) => name)).toContain("user.deleted");
    for (const row of rows) expect(row.user).toEqual({ id: user.id, name: "zoe", isDeleted: true });
  });
});
