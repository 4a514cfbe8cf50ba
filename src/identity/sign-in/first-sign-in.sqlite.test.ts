import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GET } from "@app/users/sign_in/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { prune } from "@/operations/pruning/service.ts";
import { ORIGIN, PASSWORD, signedInCookie } from "@/testing/authorization.ts";
import { openTestDeps, type TestDeps } from "@/testing/deps.ts";
import { create, resetPassword } from "../users/service.ts";
import { INITIAL_PASSWORD } from "./first-sign-in.ts";

let deps: TestDeps;
let root: User;
const shown = async () => (await GET(new Request(`${ORIGIN}/users/sign_in`))).text();

beforeEach(async () => {
  deps = await openTestDeps();
  const created = await create(deps, {
    username: "root",
    email: "root@localhost",
    password: PASSWORD,
    admin: true,
  });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  root = created.user;
});

describe("the sign-in page of a new instance", () => {
  it("the sign-in page of a new instance shows where to find the password of root until the first sign-in", async () => {
    expect(await shown()).toContain("in the output of the first start");
    writeFileSync(join(deps.config.dataDir, INITIAL_PASSWORD), PASSWORD);
    const html = await shown();
    expect(html).toContain(`in the file <code>${INITIAL_PASSWORD}</code>`);
    expect(html).not.toContain(deps.config.dataDir);
    await signedInCookie("root");
    expect(await shown()).not.toContain("This server is new");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a sign-in whose session was pruned", () => signInAndPrune(60)],
    [
      "a sign-in whose session and audit event were pruned",
      async () => {
        await changeSettings(deps, { audit_event_retention_days: "30" });
        await signInAndPrune(60);
        expect(await deps.db.auditEvent.count()).toBe(0);
      },
    ],
    [
      "a change of the password on the command line",
      () => resetPassword({ ...deps, commandLine: true }, root, "seven green lamps"),
    ],
    [
      "the creation of a second user",
      () => create(deps, { username: "ann", email: "ann@example.com", password: PASSWORD }),
    ],
  ])(
    "the sign-in page does not mention the password of root after %s, even after a restart",
    async (_event, act) => {
      expect(await shown()).toContain("This server is new");
      await act();
      resetProcessWide();
      provideDeps(deps);
      expect(await shown()).not.toContain("This server is new");
    },
  );
});

async function signInAndPrune(days: number): Promise<void> {
  await signedInCookie("root");
  deps.advance(days * 86_400);
  await prune(deps);
  expect(await deps.db.session.count()).toBe(0);
}
