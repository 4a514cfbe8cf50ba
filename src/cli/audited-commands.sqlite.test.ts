import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AuditName } from "@/instance/audit/catalog.ts";
import { sendMail } from "@/instance/mail/service.ts";
import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { commandLine, gatehouse, useInstance } from "@/testing/command-line.ts";
import { conformance } from "@/testing/conformance.ts";
import { emptyDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { startObjectStorage, type TestObjectStorage } from "@/testing/object-storage.ts";

// A rotation of the instance secret waits until all servers have noticed the rotation. No server runs here.
vi.mock("@/server/secret-follower", () => ({ FOLLOWED_AFTER_MS: 0 }));

commandLine();

let database: DatabaseConfig;
let storage: TestObjectStorage;
const backup = join(temporaryFolder(), "backup");

beforeAll(async () => {
  storage = await startObjectStorage();
  await useNewInstance();
});
afterAll(() => storage.close());

/** Creates an empty database and an empty data folder for the next commands. The secret is in the data folder. */
async function useNewInstance(): Promise<void> {
  database = await emptyDatabase();
  useInstance(database);
  vi.stubEnv("GATEHOUSE_SECRET", "");
  vi.stubEnv("S3_BUCKET", "files/gatehouse");
  vi.stubEnv("S3_ENDPOINT", storage.config.endpoint.origin);
  vi.stubEnv("S3_ACCESS_KEY_ID", storage.config.accessKeyId);
  vi.stubEnv("S3_SECRET_ACCESS_KEY", storage.config.secretAccessKey);
}

async function withDatabase<Result>(
  run: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>,
): Promise<Result> {
  const opened = await openDatabase(database);
  try {
    return await run(opened);
  } finally {
    await opened.close();
  }
}

/** Sets the state of the user `ann`, who was created a year ago. */
const setState = (state: string) => async (): Promise<void> => {
  const createdAt = new Date(Date.now() - 365 * 86_400_000);
  await withDatabase(({ db }) =>
    db.user.updateMany({ where: { username: "ann" }, data: { state, createdAt } }),
  );
};

const createUser = (username: string) => [
  ...["--username", username, "--email", `${username}@example.com`, "--password", PASSWORD],
];

const holdMail = (): Promise<void> =>
  withDatabase(async (opened) => {
    await sendMail(await openTestDeps({ ...depsOf(opened), clock: () => new Date() }), {
      ...{ kind: "password_reset", to: "ann@example.com", userId: null, subject: "Reset your password" },
      content: { paragraphs: ["The link is in this e-mail."] },
    });
  });

/** A command, its arguments, and the audit events that the command records; `null` for a command that is not run. */
type Row = readonly [
  command: string,
  args: readonly string[] | null,
  events: readonly AuditName[],
  prepare?: () => Promise<void>,
];

/**
 * All commands, in an order in which each command finds the data that it needs. A new command must be added to
 * this table. A command that changes data, or that displays a secret, must record an audit event.
 */
const COMMANDS: readonly Row[] = [
  ["serve", null, []],
  ["migrate", [], []],
  ["doctor", [], []],
  ["application list", [], []],
  ["user create", createUser("ann"), ["user.created"]],
  ["user reset-password", ["--username", "ann"], ["user.changed"]],
  ["user disable-two-factor", ["ann"], ["two_factor.disabled"]],
  ["user deactivate", ["ann"], ["user.deactivated"], setState("active")],
  ["user activate", ["ann"], ["user.activated"]],
  ["user approve", ["ann"], ["user.approved"], setState("blocked_pending_approval")],
  [
    "application create",
    ["--name", "A", "--redirect-uri", "https://a.example/", "--scopes", "api", "--owner", "ann"],
    ["application.registered"],
  ],
  ["token create", ["--user", "ann", "--scopes", "api", "--name", "ci"], ["personal_token.created"]],
  ["token revoke", ["--id", "1"], ["personal_token.revoked"]],
  ["project create", ["--path", "team/shop", "--owner", "root"], ["group.created", "project.created"]],
  ["member add", ["--project", "team/shop", "--user", "ann", "--role", "guest"], ["member.added"]],
  ["feature enable", ["oauth2_device_grant_flow"], ["flag.changed"]],
  ["feature disable", ["oauth2_device_grant_flow"], ["flag.changed"]],
  ["feature list", [], []],
  ["setting get", ["signup_enabled"], []],
  ["setting set", ["signup_enabled", "true"], ["setting.changed"]],
  ["setting list", [], []],
  ["mail list", [], []],
  ["mail show", ["1"], ["mail.shown"], holdMail],
  ["mail test", null, []],
  ["audit verify", [], []],
  ["keys rotate", [], ["keys.rotated"]],
  ["keys list", [], []],
  ["secret rotate", ["--keep-previous"], ["secret.rotation_started", "secret.switched"]],
  ["secret retire", [], ["secret.retired"]],
  ["registry certificate", [], ["registry.certificate_made"]],
  ["storage migrate", ["--to", "s3"], ["storage.migrated"]],
  ["prune", [], ["data.pruned"]],
  ["user reject", ["ann"], ["user.rejected"], setState("blocked_pending_approval")],
  [
    "user delete",
    ["bea"],
    ["user.deletion_requested", "user.deleted"],
    async () => void (await gatehouse("user", "create", ...createUser("bea"))),
  ],
  ["backup", ["--to", backup], ["backup.created"]],
  ["restore", ["--from", backup], ["backup.restored"], useNewInstance],
];

const eventsAfter = (id: number) =>
  withDatabase(({ db }) => db.auditEvent.findMany({ where: { id: { gt: id } }, orderBy: { id: "asc" } }));

describe("the commands", () => {
  it(
    conformance(
      "SC-17",
      "the test lists every command, and a command that changes data or displays a secret records audit events",
    ),
    async () => {
      const { out: help } = await gatehouse("--help");
      const listed = help
        .split("\n")
        .flatMap((line) => /^ {2}([a-z-]+(?: [a-z][a-z-]*)?)(?= |$)/.exec(line)?.[1] ?? []);
      expect(COMMANDS.map(([command]) => command).toSorted()).toEqual(listed.toSorted());
      const recorded: (readonly [string, readonly string[]])[] = [];
      let last = 0;
      for (const [command, args, , prepare] of COMMANDS) {
        if (args === null) continue;
        await prepare?.();
        // The first command creates the database. The restored database ends with the last event before the
        // backup.
        const isEmpty = command === "migrate" || command === "restore";
        if (!isEmpty) last = (await eventsAfter(0)).at(-1)?.id ?? 0;
        const result = await gatehouse(...command.split(" "), ...args);
        expect({ command, ...result }).toMatchObject({ command, status: 0 });
        const events = (await eventsAfter(last)).filter(({ byCommandLine }) => byCommandLine);
        recorded.push([command, events.map(({ name }) => name)]);
      }
      const expected = COMMANDS.flatMap(([command, args, events]) =>
        args === null ? [] : [[command, events]],
      );
      expect(recorded).toEqual(expected);
    },
  );

  it("`backup` does not migrate a database with pending migrations, and reports that no audit event was recorded", async () => {
    await withDatabase(
      ({ db }) => db.$executeRaw`DELETE FROM "_prisma_migrations" WHERE "migration_name" =
        (SELECT MAX("migration_name") FROM "_prisma_migrations")`,
    );
    const before = (await eventsAfter(0)).length;
    const result = await gatehouse("backup", "--to", join(temporaryFolder(), "older"));
    expect(result).toMatchObject({
      status: 0,
      err: "The audit event was not recorded: The database has pending migrations.\n",
    });
    expect(await eventsAfter(0)).toHaveLength(before);
  });
});
