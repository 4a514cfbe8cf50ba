import * as ownEmail from "@app/api/v4/user/emails/[email_id]/route.ts";
import * as ownEmails from "@app/api/v4/user/emails/route.ts";
import * as emailOfUser from "@app/api/v4/users/[id]/emails/[email_id]/route.ts";
import * as emailsOfUser from "@app/api/v4/users/[id]/emails/route.ts";
import * as projectsOfUser from "@app/api/v4/users/[id]/projects/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { resetPassword } from "@/identity/users/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { type ApiUser, apiUser, callApi } from "@/testing/api.ts";
import { PASSWORD } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { projectOf } from "@/testing/projects.ts";
import { beforeFirstTransaction } from "@/testing/transactions.ts";

const deps = await openTestDeps();
const root = await apiUser(deps, "root", { admin: true });

let count = 0;
let ann: ApiUser;
let bob: ApiUser;

beforeEach(async () => {
  count += 1;
  [ann, bob] = [await apiUser(deps, `ann${count}`), await apiUser(deps, `bob${count}`)];
});

type Shown = Readonly<{ id: number; email: string; confirmed_at: string | null }>;
const list = async ({ token }: ApiUser) =>
  (await callApi(ownEmails.GET, "GET", { token })).body as readonly Shown[];
const add = async ({ token }: ApiUser, json: object) => callApi(ownEmails.POST, "POST", { token, json });
const remove = ({ token }: ApiUser, id: number | undefined) =>
  callApi(ownEmail.DELETE, "DELETE", { token, path: { email_id: `${id}` } });

describe("the e-mail addresses of the current user", () => {
  it("the e-mails API returns the confirmed and the pending e-mail address of the current user, each with a unique id", async () => {
    expect(await list(ann)).toEqual([
      { id: expect.any(Number), email: ann.user.email, confirmed_at: ann.user.createdAt.toISOString() },
    ]);
    const created = await add(ann, { email: "next@example.com", current_password: PASSWORD });
    expect(created).toMatchObject({ status: 201, body: { email: "next@example.com", confirmed_at: null } });
    const emails = await list(ann);
    expect(emails.map(({ email }) => email)).toEqual([ann.user.email, "next@example.com"]);
    const path = { email_id: `${emails[1]?.id}` };
    expect((await callApi(ownEmail.GET, "GET", { token: ann.token, path })).body).toEqual(emails[1]);
    const foreign = await callApi(ownEmail.GET, "GET", { token: bob.token, path });
    expect(foreign).toMatchObject({ status: 404, body: { message: "404 Email Not Found" } });
  });

  it("the e-mails API does not add an e-mail address if the password of the user is missing or wrong", async () => {
    const missing = await add(ann, { email: "next@example.com" });
    expect(missing).toMatchObject({ status: 400, body: { error: "current_password is missing" } });
    const wrong = await add(ann, { email: "next@example.com", current_password: "wrong" });
    expect(wrong).toMatchObject({ status: 400, body: { message: { current_password: ["is wrong"] } } });
    expect(await list(ann)).toHaveLength(1);
  });

  it("the e-mails API does not add an e-mail address if the password is reset after the check of the password", async () => {
    provideDeps(beforeFirstTransaction(deps, () => resetPassword(deps, ann.user, "another long passphrase")));
    const response = await add(ann, { email: "next@example.com", current_password: PASSWORD });
    provideDeps(deps);
    expect(response).toMatchObject({ status: 400, body: { message: { current_password: ["is wrong"] } } });
    expect(await deps.db.user.findUnique({ where: { id: ann.user.id } })).toMatchObject({
      pendingEmail: null,
    });
  });

  it("the e-mails API rejects an invalid e-mail address, and rejects every e-mail address if users may not change their e-mail address", async () => {
    const invalid = await add(ann, { email: "next", current_password: PASSWORD });
    expect(invalid).toMatchObject({ status: 400, body: { message: { email: [expect.any(String)] } } });
    await changeSettings(deps, { user_email_changes: "false" });
    const closed = await add(ann, { email: "next@example.com", current_password: PASSWORD });
    await changeSettings(deps, { user_email_changes: "true" });
    expect(closed.status).toBe(400);
    expect(await list(ann)).toHaveLength(1);
  });

  it("the e-mails API deletes a pending e-mail address, but not the confirmed e-mail address", async () => {
    await add(ann, { email: "next@example.com", current_password: PASSWORD });
    const [confirmed, pending] = await list(ann);
    expect((await remove(bob, pending?.id)).status).toBe(404);
    expect((await remove(ann, confirmed?.id)).status).toBe(400);
    expect((await remove(ann, pending?.id)).status).toBe(204);
    expect((await remove(ann, pending?.id)).status).toBe(404);
    expect(await list(ann)).toEqual([confirmed]);
  });
});

describe("the e-mail addresses of a user, for administrators", () => {
  const path = () => ({ id: `${ann.user.id}` });
  const post = (json: object) =>
    callApi(emailsOfUser.POST, "POST", { token: root.token, path: path(), json });

  it("the e-mails API lets an administrator add a pending or a confirmed e-mail address to a user, and delete a pending e-mail address", async () => {
    expect(await post({ email: "next@example.com" })).toMatchObject({
      status: 201,
      body: { confirmed_at: null },
    });
    const { body } = await callApi(emailsOfUser.GET, "GET", { token: root.token, path: path() });
    const [, pending] = body as readonly Shown[];
    const removal = { token: root.token, path: { ...path(), email_id: `${pending?.id}` } };
    expect((await callApi(emailOfUser.DELETE, "DELETE", removal)).status).toBe(204);
    const confirmed = { email: `new${count}@example.com`, skip_confirmation: true };
    expect(await post(confirmed)).toMatchObject({ status: 201, body: { confirmed_at: expect.any(String) } });
    expect((await list(ann)).map(({ email }) => email)).toEqual([confirmed.email]);
    const taken = await post({ email: bob.user.email, skip_confirmation: true });
    expect(taken).toMatchObject({ status: 400, body: { message: { email: ["has already been taken"] } } });
  });
});

describe("GET /users/:id/projects", () => {
  const names = async (id: string, { token }: ApiUser) => {
    const { status, body } = await callApi(projectsOfUser.GET, "GET", { token, path: { id } });
    return status === 200 ? (body as readonly { path: string }[]).map(({ path }) => path) : status;
  };

  it("GET /users/:id/projects accepts the id or the username of a user, and lists the visible projects in the user's namespace", async () => {
    await projectOf(deps, ann.user, "open", { visibility: "public" });
    await projectOf(deps, ann.user, "closed");
    expect(await names(`${ann.user.id}`, ann)).toEqual(["closed", "open"]);
    expect(await names(ann.user.username.toUpperCase(), bob)).toEqual(["open"]);
    expect(await names(ann.user.email, bob)).toBe(404);
    expect(await names("999999", bob)).toBe(404);
  });
});
