import { beforeAll, describe, expect, it } from "vitest";
import { depsOf } from "@/kernel/deps/deps.ts";
import { firstPage } from "@/kernel/paging/paging.ts";
import { EVENT_FILES } from "@/operations/audit/event-file.ts";
import { listEvents } from "@/operations/audit/history.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { commandLine, gatehouse, json, useInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";

const { config: database, ...opened } = await openTestDatabase();
commandLine();

const ALL = { name: null, userId: null, applicationId: null, from: null, until: null };

describe("the audit trail of commands", () => {
  beforeAll(async () => {
    useInstance(database);
    await gatehouse("migrate");
    await gatehouse("application", "list");
  });

  it(
    conformance(
      "SC-17",
      "each command that changes data records one audit event, with the command line as the actor",
    ),
    async () => {
      const commands: string[][] = [
        ["user", "create", "--username", "ann", "--email", "ann@example.com", "--password", PASSWORD],
        ["user", "reset-password", "--username", "ann"],
        [
          "application",
          "create",
          "--name",
          "A",
          "--redirect-uri",
          "https://a.example/",
          "--scopes",
          "api",
          "--owner",
          "ann",
        ],
        ["token", "create", "--user", "ann", "--scopes", "api", "--name", "ci"],
        ["token", "revoke", "--id", "1"],
        ["project", "create", "--path", "team/shop", "--owner", "root"],
        ["member", "add", "--project", "team/shop", "--user", "ann", "--role", "guest"],
        ["member", "add", "--project", "team/shop", "--user", "ann", "--role", "developer"],
        ["setting", "set", "signup_enabled", "true"],
        ["feature", "enable", "oauth2_device_grant_flow"],
        ["keys", "rotate"],
      ];
      for (const command of commands) await json(...command);
      const deps = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
      const { rows } = await listEvents(deps, ALL, firstPage(50, { descending: true }));
      const events = rows
        .toReversed()
        .map(({ name, actor, byCommandLine, user }) => [name, user?.name ?? null, actor, byCommandLine]);
      expect(events).toEqual(
        [
          ["user.created", "ann"],
          ["user.changed", "ann"],
          ["application.registered", "ann"],
          ["personal_token.created", "ann"],
          ["personal_token.revoked", "ann"],
          ["group.created", "root"],
          ["project.created", "root"],
          ["member.added", "ann"],
          ["member.changed", "ann"],
          ["setting.changed", null],
          ["flag.changed", null],
          ["keys.rotated", null],
        ].map(([name, user]) => [name, user, null, true]),
      );
      const [event] = rows;
      if (event === undefined) throw new Error("There is no event.");
      expect(EVENT_FILES.csv.line(event)).toContain(",command line,");
      expect(JSON.parse(EVENT_FILES.jsonl.line(event))).toMatchObject({ actor: "command line" });
      // An audit event must not contain a password or a token.
      expect(JSON.stringify(rows)).not.toMatch(/ghpt_|password":/);
    },
  );

  it(
    conformance("SC-60", "`audit verify` prints the first event that breaks the hash chain, and fails"),
    async () => {
      const intact = await gatehouse("audit", "verify");
      expect(intact).toMatchObject({
        status: 0,
        out: expect.stringMatching(/intact: \d+ events, last digest/),
      });
      const deps = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
      const { id, ...event } = await deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: "asc" } });
      await deps.db.auditEvent.update({ where: { id }, data: { details: '{"admin":true}' } });
      const broken = await gatehouse("audit", "verify");
      expect(broken).toMatchObject({ status: 1, out: expect.stringContaining(`The audit event ${id} (`) });
      await deps.db.auditEvent.update({ where: { id }, data: event });
      expect((await gatehouse("audit", "verify", "--includes", "unknown")).status).toBe(1);
    },
  );

  it(conformance("SC-17", "a command that is refused records no audit event"), async () => {
    const deps = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
    const before = await deps.db.auditEvent.count();
    for (const command of [
      ["user", "create", "--username", "ann", "--email", "other@example.com", "--password", PASSWORD],
      ["user", "reset-password", "--username", "ann", "--password", "short"],
      ["setting", "set", "signup_enabled", "perhaps"],
    ])
      expect((await gatehouse(...command)).status).toBe(2);
    const after = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
    expect(await after.db.auditEvent.count()).toBe(before);
  });
});
