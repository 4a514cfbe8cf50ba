import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { record } from "@/instance/audit/service.ts";
import { registeredClient, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import {
  changeWebhook,
  createWebhook,
  type HookFormState,
  removeWebhook,
} from "@/webhooks/hook-pages/actions.ts";
import { EMPTY_FORM } from "@/webhooks/hook-pages/schema.ts";
import AdminHookPage from "../../../../admin/webhooks/[hook_id]/page.tsx";
import AdminHooksPage from "../../../../admin/webhooks/page.tsx";
import HookPage from "./[hook_id]/page.tsx";
import HooksPage from "./page.tsx";

/** The simulated request, whose headers the mocked functions of Next.js return. */
const request = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));

const deps = await openTestDeps();
const ann = await signedInUser(deps, "ann");
const eve = await signedInUser(deps, "eve");
const boss = await signedInUser(deps, "boss");
await deps.db.user.update({ where: { id: boss.user.id }, data: { admin: true } });
const project = await projectOf(deps, ann.user, "shop");

const as = (user: SignedInUser): void => {
  request.headers = new Headers({ cookie: user.cookie });
};

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const START: HookFormState = { kind: "editing", form: EMPTY_FORM, problems: {} };
const OF_PROJECT = { kind: "project", owner: `${project.id}` };
const params = (hook_id = "") => ({ params: Promise.resolve({ id: `${project.id}`, hook_id }) });
const render = async (page: Promise<unknown>) => renderToStaticMarkup((await page) as never);

it("only the owner of an application can create a webhook of the application, and the webhook sends an event when a token is revoked", async () => {
  const { application } = await registeredClient(deps, ann.user, { name: "Shop" });
  const fields = { kind: "application", owner: `${application.id}`, url: "https://a.example/" };
  as(eve);
  await expect(createWebhook(START, formOf(fields))).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  as(ann);
  expect(await createWebhook(START, formOf({ ...fields, security_events: "true" }))).toMatchObject({
    path: expect.stringContaining(`/user_settings/applications/${application.id}/webhooks/`),
  });
  const about = { userId: eve.user.id, applicationId: application.id };
  await record(deps, "token.revoked", { by: "holder" }, about);
  await record(deps, "sign_in.failed", { address: "203.0.113.7" }, { userId: eve.user.id });
  const messages = await deps.db.webhookDelivery.findMany();
  expect(messages.map(({ source }) => JSON.parse(source).name)).toEqual(["token.revoked"]);
  await deps.db.webhook.deleteMany();
});

describe("the pages of webhooks", () => {
  it("the webhook pages create a webhook, show its signing secret once, and show its state and its messages", async () => {
    as(ann);
    expect(await render(HooksPage(params()))).toContain("No webhooks");
    const bad = await createWebhook(START, formOf({ ...OF_PROJECT, url: "ftp://ci.example.com" }));
    expect(bad).toMatchObject({ kind: "editing", problems: { url: expect.stringContaining("https://") } });
    const fields = { ...OF_PROJECT, url: "https://ci.example.com/hook", push_events: "true", token: "t0ken" };
    const created = await createWebhook(START, formOf(fields));
    if (created.kind !== "created") throw new Error(JSON.stringify(created));
    expect(created.signingSecret).toMatch(/^whsec_/);
    const { id } = await deps.db.webhook.findFirstOrThrow();
    expect(created.path).toBe(`/projects/${project.id}/settings/webhooks/${id}`);
    const now = deps.clock();
    await deps.db.webhook.updateMany({
      data: { failures: 4, disabledUntil: new Date(now.getTime() + 60_000) },
    });
    await deps.db.webhookDelivery.create({
      data: {
        ...{
          webhookId: id,
          uid: "m",
          eventUid: "e",
          trigger: "push_events",
          source: "{}",
          body: '{"a":"<b>"}',
        },
        ...{ state: "failed", attempts: 4, createdAt: now, nextAttemptAt: now, expiresAt: now },
        ...{ responseStatus: 500, durationMs: 12, requestHeaders: '{"X-Gitlab-Token":"[REDACTED]"}' },
      },
    });
    const page = await render(HookPage(params(`${id}`)));
    for (const text of ["paused until", "[REDACTED]", "500 in 12 ms", "Redeliver", "&lt;b&gt;"])
      expect(page).toContain(text);
    for (const secret of [created.signingSecret, "t0ken"]) expect(page).not.toContain(secret);
    const change = formOf({
      ...OF_PROJECT,
      hook: `${id}`,
      url: "https://other.example.com/",
      tag_push_events: "true",
    });
    await expect(changeWebhook(START, change)).rejects.toThrow("NEXT_REDIRECT");
    expect(await render(HooksPage(params()))).toContain("Tag push");
    await expect(removeWebhook(formOf({ ...OF_PROJECT, hook: `${id}` }))).rejects.toThrow("NEXT_REDIRECT");
    expect(await deps.db.webhook.count()).toBe(0);
  });

  it("the webhook pages are hidden from users who may not manage the webhooks", async () => {
    as(eve);
    expect(await render(HooksPage(params()))).not.toContain("Create a webhook");
    await expect(
      createWebhook(START, formOf({ ...OF_PROJECT, url: "https://a.example/" })),
    ).rejects.toThrow();
    await expect(AdminHooksPage()).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
    await expect(
      createWebhook(START, formOf({ kind: "instance", url: "https://a.example/" })),
    ).rejects.toThrow();
    expect(await deps.db.webhook.count()).toBe(0);
    as(boss);
    const created = await createWebhook(START, formOf({ kind: "instance", url: "https://a.example/" }));
    expect(created).toMatchObject({
      kind: "created",
      path: expect.stringMatching(/^\/admin\/webhooks\/\d+$/),
    });
    const { id } = await deps.db.webhook.findFirstOrThrow();
    expect(await render(AdminHookPage(params(`${id}`)))).toContain("Security events");
  });
});
