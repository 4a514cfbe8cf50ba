import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { collectingProject } from "../errors/collecting.ts";
import { openDesk } from "../git/git.ts";
import { type Instance, startBeside } from "../instance.ts";
import { type Confidential, cookieOf, newPair, registerApplication, type Target } from "../outages/client.ts";
import * as client from "./client.ts";
import { command, startRelease } from "./release.ts";

test("this version serves the SQLite data of the last release, and a version without the last migration refuses to start", async () => {
  const instance = await startRelease("sqlite");
  const desk = openDesk();
  try {
    const stored = await storeData(instance, desk);
    await instance.kill("SIGTERM");
    const checkout = await startBeside(instance);
    try {
      await expectData({ ...instance, internalUrl: checkout.url }, stored);
    } finally {
      await checkout.stop();
    }
    await expectRefusedDowngrade(instance);
  } finally {
    desk.remove();
    await instance.stop();
  }
});

type Desk = ReturnType<typeof openDesk>;
type Stored = Awaited<ReturnType<typeof storeData>>;

/** Stores data of each kind in an instance of the last release. */
async function storeData(instance: Instance, desk: Desk) {
  const token = await command(instance, ..."token create --user root --scopes api --name upgrade".split(" "));
  const trusted: Confidential = await registerApplication(instance, "--trusted");
  const application: Confidential = await registerApplication(instance);
  const cookie = await cookieOf(instance);
  const pair = await newPair(instance, trusted, cookie);
  const ended = await newPair(instance, trusted, cookie);
  await client.revoke(instance, trusted, ended.access_token);
  await client.codeFrom([instance, instance], application.client_id, cookie);
  const { verifier, parameters } = client.newChallenge();
  const code = await client.codeFrom([instance, instance], trusted.client_id, cookie, parameters);
  const device = await client.requestDevice(instance, trusted);
  const project = await collectingProject(instance, "acme/upgrade");
  const event = randomUUID().replaceAll("-", "");
  const url = `${instance.baseUrl}/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=${project.publicKey}`;
  const exception = { type: "UpgradeError", value: "x" };
  const sent = await fetch(url, { method: "POST", body: JSON.stringify({ event_id: event, exception }) });
  expect(sent.status).toBe(200);
  await sent.arrayBuffer();
  const remote = `${instance.baseUrl.replace("//", `//root:${token}@`)}/acme/upgrade.git`;
  const copy = join(desk.folder, "copy");
  await desk.ok(["init", "-q", "-b", "main", copy]);
  await desk.ok(["commit", "-q", "--allow-empty", "-m", "Change"], copy);
  await desk.ok(["push", "-q", remote, "main"], copy);
  const commit = await desk.ok(["rev-parse", "HEAD"], copy);
  const applications = await client.callApi<readonly object[]>(instance, token, "GET", "applications");
  return {
    ...{ token, trusted, application, cookie, pair, ended, code, verifier, device },
    ...{ projectId: project.id, event, commit, applications: applications.length },
  };
}

/** Checks that another version of Gatehouse can use the stored data. */
async function expectData(target: Target, stored: Stored): Promise<void> {
  const { token, trusted, application, cookie, pair, ended, projectId } = stored;
  expect(await client.isSignedIn(target, cookie)).toBe(true);
  expect(await client.apiStatus(target, token)).toBe(200);
  expect(await client.apiStatus(target, pair.access_token)).toBe(200);
  expect(await client.apiStatus(target, ended.access_token)).toBe(401);
  const next = await client.refresh(target, trusted, pair.refresh_token);
  expect(await client.apiStatus(target, next.access_token)).toBe(200);
  const exchanged = await client.exchangeWithVerifier(target, trusted, stored.code, stored.verifier);
  expect(await client.apiStatus(target, exchanged.access_token)).toBe(200);
  await client.approveDevice([target, target], stored.device.user_code, cookie);
  const polled = await client.pollDevice(target, trusted, stored.device.device_code);
  expect(await client.apiStatus(target, polled.access_token)).toBe(200);
  // `newPair` fails if the user has to consent again.
  await newPair(target, application, cookie);
  await cookieOf(target);
  const get = <Body>(path: string) => client.callApi<Body>(target, token, "GET", path);
  expect(await get<readonly object[]>("applications")).toHaveLength(stored.applications);
  const branch = await get<{ commit: { id: string } }>(`projects/${projectId}/repository/branches/main`);
  expect(branch.commit.id).toBe(stored.commit);
  const [error] = await get<readonly { id: number }[]>(`projects/${projectId}/error_tracking/errors`);
  const events = await get(`projects/${projectId}/error_tracking/errors/${error?.id}/events`);
  expect(events).toMatchObject([{ event_id: stored.event }]);
}

/**
 * Checks that this version does not start on a database that a later version has migrated. The test inserts
 * the record of a later migration, because there is no later version.
 */
async function expectRefusedDowngrade(instance: Instance): Promise<void> {
  const database = new Database(join(instance.dataDir, "gatehouse.db"));
  database
    .prepare(
      "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, logs, started_at, applied_steps_count) VALUES (?, 'x', ?, '29990101000000_later', ?, ?, 1)",
    )
    .run(randomUUID(), Date.now(), "999.0.0", Date.now());
  database.close();
  await expect(startBeside(instance)).rejects.toThrow(
    /version 999\.0\.0 has migrated this database \(29990101000000_later\)/,
  );
}
