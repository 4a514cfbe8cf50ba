import { createServer } from "node:http";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { recordPush } from "@/code/pushes/service.ts";
import { changeSettings as changeErrorTracking, createClientKey } from "@/error-tracking/settings/service.ts";
import { ingest, setErrorStatuses } from "@/error-tracking/tracked-errors/service.ts";
import { record } from "@/instance/audit/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { recordApproval } from "@/review/approvals/service.ts";
import { merge, rebaseMergeRequest } from "@/review/merge-requests/merge.ts";
import { createMergeRequest, updateMergeRequest } from "@/review/merge-requests/service.ts";
import { apiUser } from "@/testing/api.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { commitAll, GIT } from "@/testing/repository.ts";
import { afterFirst } from "@/testing/transactions.ts";
import { resend } from "../deliveries/service.ts";
import { enqueueAppearedErrors } from "../events/error-watch.ts";
import { sendTest } from "../events/test-event.ts";
import type { HookPlace, Trigger } from "../hooks/rules.ts";
import { changeHook, createHook, findHook } from "../hooks/service.ts";
import { deliverDue } from "./delivery.ts";

type Received = Readonly<{ path: string; headers: Record<string, string>; body: string }>;

const received: Received[] = [];
let slowPath = "";
let answer: (path: string) => number = () => 200;
/**
 * The number of requests that the test server is processing, by path. `mostOpen` contains the maximum number
 * of simultaneous requests for each path.
 */
const open = new Map<string, number>();
const mostOpen = new Map<string, number>();
const server = createServer((request, response) => {
  const opened = (open.get(request.url ?? "") ?? 0) + 1;
  open.set(request.url ?? "", opened);
  mostOpen.set(request.url ?? "", Math.max(opened, mostOpen.get(request.url ?? "") ?? 0));
  response.on("close", () => open.set(request.url ?? "", (open.get(request.url ?? "") ?? 1) - 1));
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const path = request.url ?? "";
    received.push({
      path,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString("utf8"),
    });
    const respond = () => response.writeHead(answer(path), { "x-receiver": "test" }).end("thanks");
    if (path === slowPath) setTimeout(respond, 50);
    else respond();
  });
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const port = (server.address() as { port: number }).port;
afterAll(() => server.close());

const { config: database, ...opened } = await openTestDatabase();
const deps = await openTestDeps(depsOf(opened));
await changeSettings(deps, { allow_local_requests_from_web_hooks_and_services: "true" });
const root = await apiUser(deps, "root", { admin: true });
const ann = await apiUser(deps, "ann");
const group = await groupOf(deps, ann.user, "team");
const project = await projectOf(deps, ann.user, "shop", { group });
const PROJECT: HookPlace = { kind: "project", id: project.id };

beforeEach(async () => {
  await deps.db.webhook.deleteMany();
  received.length = 0;
  answer = () => 200;
});

async function hookOf(
  place: HookPlace,
  triggers: readonly Trigger[],
  more: { url?: string; branchFilter?: string } = {},
) {
  const { url = `http://127.0.0.1:${port}/${place.kind}`, branchFilter = "" } = more;
  const draft = { url, name: "", description: "", token: "shared-token", triggers, branchFilter };
  const created = await createHook(deps, place, draft, root.user);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  // The creation of the webhook causes an audit event. The message about the creation of the webhook is
  // deleted, so that the test sees only its own messages.
  await deps.db.webhookDelivery.deleteMany();
  return created;
}

const bodies = () => received.map(({ body }) => JSON.parse(body));
const deliveries = () => deps.db.webhookDelivery.findMany({ orderBy: { id: "asc" } });

describe("a message of a webhook", () => {
  it("an event is recorded without a message if another request deletes the webhook simultaneously", async () => {
    const { webhook } = await hookOf({ kind: "instance" }, ["audit_events"]);
    await deps.transaction(async (within) => {
      const remove = () => within.db.webhook.deleteMany({ where: { id: webhook.id } });
      const later = afterFirst(within, { table: "webhook", method: "findMany" }, remove);
      await record(later, "keys.rotated", { kid: "k0" }, { userId: ann.user.id });
    });
    expect(await deps.db.auditEvent.count({ where: { name: "keys.rotated" } })).toBe(1);
    expect(await deliveries()).toEqual([]);
  });

  it(
    conformance(
      "SC-61",
      "a message of a webhook has the signature of Standard Webhooks and the headers of GitLab",
    ),
    async () => {
      const { signingSecret, webhook } = await hookOf({ kind: "instance" }, ["audit_events"]);
      await record(deps, "keys.rotated", { kid: "k1" }, { userId: ann.user.id });
      await deliverDue(deps);
      const [message] = received;
      if (message === undefined) throw new Error("No message was received.");
      const { headers, body } = message;
      // The test calls `sign` instead of `verify`, because `verify` compares the time of the message with the
      // system clock.
      const verified = new StandardWebhook(signingSecret).sign(
        headers["webhook-id"] ?? "",
        new Date(Number(headers["webhook-timestamp"]) * 1_000),
        body,
      );
      expect(headers["webhook-signature"]).toBe(verified);
      expect(headers).toMatchObject({
        "x-gitlab-event": "System Hook",
        "x-gitlab-token": "shared-token",
        "x-gitlab-webhook-uuid": webhook.uid,
        "idempotency-key": headers["webhook-id"],
        "x-gitlab-instance": "http://localhost:3000",
      });
      expect(JSON.parse(body)).toMatchObject({
        type: "keys.rotated",
        data: { user: { username: "ann" }, details: { kid: "k1" } },
      });
    },
  );

  it("the library of Standard Webhooks accepts a message, and refuses a changed message", async () => {
    const now = await openTestDeps({ ...deps, clock: () => new Date() });
    const { signingSecret } = await hookOf({ kind: "instance" }, ["audit_events"]);
    await record(now, "keys.rotated", { kid: "k2" }, {});
    await deliverDue(now);
    const [message] = received;
    if (message === undefined) throw new Error("No message was received.");
    const library = new StandardWebhook(signingSecret);
    expect(library.verify(message.body, message.headers)).toMatchObject({ type: "keys.rotated" });
    expect(() => library.verify(`${message.body} `, message.headers)).toThrow();
  });

  it(
    conformance(
      "SC-61",
      "a message of a webhook is stored without secrets, and the secrets of the webhook are stored encrypted",
    ),
    async () => {
      const { signingSecret } = await hookOf(PROJECT, ["push_events"], {
        url: `http://127.0.0.1:${port}/services/T0KEN`,
      });
      await recordPush(deps, { project, user: ann.user }, [
        { ref: "refs/heads/gone", before: "1".repeat(40), after: "0".repeat(40) },
      ]);
      await deliverDue(deps);
      const rows = JSON.stringify([
        await deliveries(),
        await deps.db.webhook.findMany(),
        await deps.db.auditEvent.findMany(),
      ]);
      for (const secret of [signingSecret, "shared-token", "T0KEN"]) expect(rows).not.toContain(secret);
      expect(await deliveries()).toMatchObject([
        { state: "delivered", responseStatus: 200, responseBody: "thanks", lastError: null },
      ]);
      expect(JSON.stringify(deps.logged)).not.toMatch(/T0KEN|shared-token|whsec_/);
    },
  );

  it(
    conformance(
      "SC-62",
      "a failed message of a webhook is sent again after increasing pauses for a day, and the webhook is paused after several failures",
    ),
    async () => {
      const { webhook } = await hookOf({ kind: "instance" }, ["audit_events"]);
      answer = () => 500;
      await record(deps, "keys.rotated", { kid: "k" }, {});
      await deliverDue(deps);
      await deliverDue(deps);
      expect(received).toHaveLength(1);
      deps.advance(5);
      await deliverDue(deps);
      expect(received).toHaveLength(2);
      expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
      for (const seconds of [60, 300]) {
        deps.advance(seconds);
        await deliverDue(deps);
      }
      const paused = await findHook(deps, { kind: "instance" }, webhook.id);
      expect(paused).toMatchObject({ failures: 4, disabledUntil: new Date(deps.clock().getTime() + 60_000) });
      // The message about the key rotation waits until the pause of the webhook has ended.
      await record(deps, "keys.rotated", { kid: "k2" }, {});
      await deliverDue(deps);
      expect(received).toHaveLength(4);
      answer = () => 204;
      deps.advance(61);
      await deliverDue(deps);
      expect(await findHook(deps, { kind: "instance" }, webhook.id)).toMatchObject({
        failures: 0,
        disabledUntil: null,
      });
      expect((await deliveries()).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    },
  );

  it(
    conformance(
      "SC-62",
      "a message of a webhook fails after a day, and can then be sent manually with the same id",
    ),
    async () => {
      const { webhook } = await hookOf({ kind: "instance" }, ["audit_events"]);
      answer = () => 503;
      await record(deps, "keys.rotated", { kid: "k" }, {});
      for (let hour = 0; hour < 27; hour++) {
        await deliverDue(deps);
        deps.advance(3_600);
      }
      const [failed] = await deliveries();
      if (failed === undefined) throw new Error("No delivery.");
      expect(failed).toMatchObject({ state: "failed", responseStatus: 503 });
      answer = () => 200;
      expect(await resend(deps, webhook, failed)).toBeGreaterThan(failed.id);
      await deliverDue(deps);
      expect(received.at(-1)?.headers["webhook-id"]).toBe(failed.uid);
      expect(await findHook(deps, { kind: "instance" }, webhook.id)).toMatchObject({ failures: 0 });
      for (let count = 0; count < 4; count++) await resend(deps, webhook, failed);
      expect(await resend(deps, webhook, failed)).toBe("too_many");
    },
  );

  it(
    conformance(
      "SC-62",
      "a message of a webhook is sent only once even if several servers run, and is not sent if the transaction fails",
    ),
    async () => {
      await hookOf({ kind: "instance" }, ["audit_events"]);
      const failing = deps.transaction(async (within) => {
        await record(within, "keys.rotated", { kid: "failed" }, {});
        throw new Error("rolled back");
      });
      await expect(failing).rejects.toThrow("rolled back");
      for (let event = 0; event < 5; event++) await record(deps, "keys.rotated", { kid: `${event}` }, {});
      const other = await openDatabase(database);
      await Promise.all([deliverDue(deps), deliverDue({ ...deps, ...depsOf(other) })]);
      await deliverDue(deps);
      await other.close();
      expect(
        bodies()
          .map(({ data }) => data.details.kid)
          .toSorted(),
      ).toEqual(["0", "1", "2", "3", "4"]);
    },
  );

  it(
    conformance(
      "SC-61",
      "a message of a webhook is not sent to local IP addresses unless the setting allows local requests",
    ),
    async () => {
      await changeSettings(deps, { allow_local_requests_from_web_hooks_and_services: "false" });
      await hookOf({ kind: "instance" }, ["audit_events"]);
      await record(deps, "keys.rotated", { kid: "k" }, {});
      await deliverDue(deps);
      expect(received).toEqual([]);
      expect(
        (await deliveries()).every(
          ({ responseStatus, lastError }) => responseStatus === null && lastError !== null,
        ),
      ).toBe(true);
      await changeSettings(deps, { allow_local_requests_from_web_hooks_and_services: "true" });
    },
  );

  it(
    conformance(
      "SC-61",
      "after the URL of a webhook has changed, the new URL receives neither the old secret token nor a message that was created for the old URL",
    ),
    async () => {
      const { webhook } = await hookOf({ kind: "instance" }, ["security_events"]);
      const fail = () => record(deps, "sign_in.failed", { address: "203.0.113.7" }, { userId: ann.user.id });
      answer = () => 500;
      await fail();
      await deliverDue(deps);
      deps.advance(1);
      const url = `http://127.0.0.1:${port}/moved`;
      const changed = await changeHook(deps, webhook, { url }, root.user);
      if (changed === null || "problems" in changed) throw new Error(JSON.stringify(changed));
      expect(changed).toMatchObject({ url, hasToken: false });
      const [sent] = await deliveries();
      if (sent === undefined) throw new Error("No delivery.");
      expect(await resend(deps, changed, sent)).toBe("url_changed");
      answer = () => 200;
      deps.advance(60);
      await deliverDue(deps);
      expect(await deliveries()).toMatchObject([{ state: "failed", responseStatus: 500 }]);
      await fail();
      await deliverDue(deps);
      expect(received.map(({ path, headers }) => [path, headers["x-gitlab-token"]])).toEqual([
        ["/instance", "shared-token"],
        ["/moved", undefined],
      ]);
      const token = "new-token";
      expect(await changeHook(deps, webhook, { url: `${url}2`, token }, root.user)).toMatchObject({
        hasToken: true,
      });
    },
  );

  it(
    conformance(
      "SC-62",
      "the messages of several owners of webhooks are sent in turn, and at most two messages of one owner are sent simultaneously",
    ),
    async () => {
      const { webhook } = await hookOf({ kind: "group", id: group.id }, ["push_events"]);
      for (let hook = 0; hook < 4; hook++) await hookOf(PROJECT, ["push_events"]);
      const gone = { ref: "refs/heads/gone", before: "1".repeat(40), after: "0".repeat(40) };
      const { id: webhookId } = webhook;
      for (let push = 0; push < 9; push++) {
        await deps.db.webhookDelivery.deleteMany({ where: { webhookId } });
        await recordPush(deps, { project, user: ann.user }, [gone]);
      }
      // The message of the group is newer than all messages of the project.
      const later = new Date(deps.clock().getTime() + 1_000);
      await deps.db.webhookDelivery.updateMany({ where: { webhookId }, data: { nextAttemptAt: later } });
      deps.advance(1);
      slowPath = "/project";
      await deliverDue(deps);
      slowPath = "";
      const paths = received.map(({ path }) => path);
      expect(paths).toHaveLength(37);
      expect(paths.indexOf("/group")).toBeLessThan(4);
      expect(mostOpen.get("/project")).toBe(2);
    },
  );

  it(
    conformance(
      "SC-62",
      "while too many messages of a webhook wait, a new message of this webhook is dropped and logged",
    ),
    async () => {
      const { webhook } = await hookOf({ kind: "instance" }, ["audit_events"]);
      await record(deps, "keys.rotated", { kid: "k" }, {});
      const [{ id: _, ...first } = { id: 0 }] = await deliveries();
      const copies = Array.from({ length: 999 }, () => first) as never[];
      await deps.db.webhookDelivery.createMany({ data: copies });
      await record(deps, "keys.rotated", { kid: "k" }, {});
      expect(await deps.db.webhookDelivery.count()).toBe(1_000);
      expect(deps.logged).toContainEqual(
        expect.objectContaining({ event: "webhook.dropped", webhook: webhook.id }),
      );
      await deps.db.webhookDelivery.deleteMany();
    },
  );

  it("a message of a webhook does not wait for a slow receiver of another webhook", async () => {
    await hookOf({ kind: "instance" }, ["security_events"]);
    await hookOf({ kind: "instance" }, ["audit_events"], { url: "http://192.0.2.1:9/" });
    await record(deps, "sign_in.failed", { address: "203.0.113.7" }, { userId: ann.user.id });
    await deliverDue(deps);
    expect(bodies()).toMatchObject([
      { type: "sign_in.failed", data: { user: { username: "ann" }, details: { ip_address: "203.0.113.7" } } },
    ]);
  });
});

describe("the webhooks of an application", () => {
  it(
    conformance(
      "SC-61",
      "the webhooks of an application are deleted when the application is transferred, and lose their events when a maintainer is removed",
    ),
    async () => {
      const at = deps.clock();
      const { id } = await deps.db.application.create({
        data: {
          ...{ uid: "hooked", name: "Hooked", redirectUris: "https://app.example/cb", scopes: "openid" },
          ...{ confidential: true, trusted: false, requiresPkce: true, allowsPassword: false },
          ...{ ownerId: ann.user.id, createdAt: at, updatedAt: at },
        },
      });
      const place: HookPlace = { kind: "application", id };
      const { webhook } = await hookOf(place, ["security_events"]);
      const about = { userId: ann.user.id, applicationId: id };
      await record(deps, "application.secret_added", { secretId: 1 }, about);
      await record(deps, "application.maintainer_removed", { maintainer: "bob" }, about);
      expect(await findHook(deps, place, webhook.id)).toMatchObject({ triggers: [] });
      await deliverDue(deps);
      expect(received).toEqual([]);
      await record(deps, "application.transferred", { from: "@ann", to: "team" }, about);
      expect(await findHook(deps, place, webhook.id)).toBeNull();
      const removed = await deps.db.auditEvent.findMany({
        where: { name: "webhook.removed", applicationId: id },
      });
      expect(removed).toHaveLength(1);
    },
  );
});

describe("the events of a project", GIT, () => {
  it("webhooks of a project receive push and tag events in GitLab's format, and respect the branch filter", async () => {
    await commitAll(deps, project, [
      { branch: "main", message: "Begin", files: { "a.txt": "a\n" } },
      { branch: "main", message: "Change\n\nIn detail.", files: { "a.txt": "b\n", "b c.txt": "new\n" } },
    ]);
    await hookOf(PROJECT, ["push_events", "tag_push_events"], { branchFilter: "ma*" });
    await hookOf({ kind: "group", id: group.id }, ["push_events"]);
    const hook = await hookOf(PROJECT, ["push_events"], { branchFilter: "release/*" });
    expect(typeof (await sendTest(deps, hook.webhook, "push_events", ann.user))).toBe("number");
    await deliverDue(deps);
    const [test] = bodies();
    const { after, before } = test;
    received.length = 0;
    await recordPush(deps, { project, user: ann.user }, [
      { ref: "refs/heads/main", before, after },
      { ref: "refs/tags/v1", before: "0".repeat(40), after },
    ]);
    await deliverDue(deps);
    expect(received.map(({ path, headers }) => [path, headers["x-gitlab-event"]]).toSorted()).toEqual([
      ["/group", "Push Hook"],
      ["/project", "Push Hook"],
      ["/project", "Tag Push Hook"],
    ]);
    const push = bodies().find(({ object_kind }) => object_kind === "push");
    expect(push).toMatchObject({
      ...{ event_name: "push", ref: "refs/heads/main", checkout_sha: after, user_username: "ann" },
      ...{ project_id: project.id, total_commits_count: 1, ref_protected: true },
      project: { path_with_namespace: "team/shop", default_branch: "main", namespace: "team" },
      commits: [
        {
          id: after,
          title: "Change",
          added: ["b c.txt"],
          modified: ["a.txt"],
          removed: [],
          author: { name: "Ann" },
        },
      ],
    });
    expect(bodies().find(({ object_kind }) => object_kind === "tag_push")).toMatchObject({
      ref: "refs/tags/v1",
      commits: [],
    });
  });

  it("webhooks of a project receive an event for each change to a merge request, and a push event for a merge", async () => {
    await commitAll(deps, project, [{ branch: "topic", message: "Topic", files: { "c.txt": "c\n" } }]);
    await hookOf(PROJECT, ["push_events", "merge_requests_events"]);
    const actor = { project, user: ann.user };
    const draft = {
      sourceBranch: "topic",
      targetBranch: "main",
      title: "Topic",
      description: "",
      squash: false,
    };
    const related = { assigneeIds: [], reviewerIds: [], labels: [] };
    const opened = await createMergeRequest(deps, actor, { ...draft, ...related, removesSource: false });
    if (typeof opened === "string" || !("iid" in opened)) throw new Error(JSON.stringify(opened));
    await updateMergeRequest(deps, actor, opened, { title: "Better" });
    await recordApproval(deps, opened, ann.user);
    const merged = await merge(deps, actor, opened, {});
    expect(merged).toMatchObject({ state: "merged" });
    await deliverDue(deps);
    const events = bodies();
    expect(
      events.map(({ object_kind, object_attributes }) => object_attributes?.action ?? object_kind),
    ).toEqual(["open", "update", "approved", "push", "merge"]);
    expect(events[1]).toMatchObject({
      ...{ object_kind: "merge_request", event_type: "merge_request", user: { username: "ann" } },
      changes: { title: { previous: "Topic", current: "Better" } },
      object_attributes: { iid: opened.iid, state: "opened", last_commit: { title: "Topic" } },
    });
    expect(events[3]).toMatchObject({ ref: "refs/heads/main", user_username: "ann" });
    expect(events[4]).toMatchObject({ object_attributes: { state: "merged", target_branch: "main" } });
  });

  it("webhooks of a project receive push events for a rebase and for a deleted source branch, and an event for approvals that a push removes", async () => {
    await commitAll(deps, project, [
      { branch: "rebased", message: "Rebased", files: { "rebased.txt": "r\n" } },
      { branch: "main", message: "Later", files: { "later.txt": "l\n" } },
    ]);
    const actor = { project, user: ann.user };
    const opened = await createMergeRequest(deps, actor, {
      ...{ sourceBranch: "rebased", targetBranch: "main", title: "Rebased", description: "", squash: false },
      ...{ assigneeIds: [], reviewerIds: [], labels: [], removesSource: true },
    });
    if (typeof opened === "string" || !("iid" in opened)) throw new Error(JSON.stringify(opened));
    await recordApproval(deps, opened, ann.user);
    await hookOf(PROJECT, ["push_events", "merge_requests_events"]);
    const rebased = await rebaseMergeRequest(deps, actor, opened);
    if (typeof rebased === "string") throw new Error(rebased);
    expect(await merge(deps, actor, rebased, {})).toMatchObject({ state: "merged" });
    await deliverDue(deps);
    const events = bodies();
    const pushes = events.filter(({ object_kind }) => object_kind === "push");
    const ref = "refs/heads/rebased";
    expect(pushes).toMatchObject([
      { ref, before: opened.headSha, after: rebased.headSha, user_username: "ann" },
      { ref: "refs/heads/main", user_username: "ann" },
      { ref, before: rebased.headSha, after: "0".repeat(40), user_username: "ann", checkout_sha: null },
    ]);
    const changes = events.filter(({ object_kind }) => object_kind === "merge_request");
    expect(changes).toMatchObject([
      {
        user: { username: "ann" },
        object_attributes: {
          ...{ action: "unapproved", system: true, system_action: "approvals_reset_on_push" },
          last_commit: { id: rebased.headSha },
        },
      },
      { user: { username: "ann" }, object_attributes: { action: "update", oldrev: opened.headSha } },
      { object_attributes: { action: "merge" } },
    ]);
  });
});

describe("tracked errors", () => {
  it("a tracked error causes one message when it appears, and one message when it appears again after it was resolved", async () => {
    await changeErrorTracking(deps, project, { active: true, integrated: true }, ann.user);
    await createClientKey(deps, project, ann.user);
    await hookOf({ kind: "group", id: group.id }, ["error_events"]);
    const report = async (eventId: string): Promise<void> => {
      const body = { exception: { values: [{ type: "TypeError", value: "x is undefined" }] } };
      await ingest(deps, project, { events: [{ eventId, body }], dropped: [] });
    };
    await report("1".repeat(32));
    await enqueueAppearedErrors(deps);
    await enqueueAppearedErrors(deps);
    const { id } = await deps.db.trackedError.findFirstOrThrow();
    await setErrorStatuses(deps, project, [id], "resolved");
    deps.advance(60);
    await report("2".repeat(32));
    await enqueueAppearedErrors(deps);
    await deliverDue(deps);
    expect(bodies().map(({ type, data }) => [type, data.name, data.event_count])).toEqual([
      ["error.created", "TypeError", 2],
      ["error.regressed", "TypeError", 2],
    ]);
  });
});
