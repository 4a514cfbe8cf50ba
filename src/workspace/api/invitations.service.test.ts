import * as groupInvitation from "@app/api/v4/groups/[id]/invitations/[email]/route.ts";
import * as groupInvitations from "@app/api/v4/groups/[id]/invitations/route.ts";
import * as invitation from "@app/api/v4/projects/[id]/invitations/[email]/route.ts";
import * as invitations from "@app/api/v4/projects/[id]/invitations/route.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { listMessages } from "@/instance/mail/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { apiUser, callApi } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";

const deps = await openTestDeps();
const owner = await apiUser(deps, "owner");
const maintainer = await apiUser(deps, "maintainer");
const ann = await apiUser(deps, "ann");
const bob = await apiUser(deps, "bob");

let group: AuthorizedGroup;
let project: AuthorizedProject;

beforeEach(async () => {
  await deps.db.rateCounter.deleteMany();
  await deps.db.mailMessage.deleteMany();
  await changeSettings(deps, { owners_can_invite: "true" });
  group = await groupOf(deps, owner.user, `team-${crypto.randomUUID()}`, { visibility: "private" });
  project = await projectOf(deps, owner.user, "shop", { group });
  await memberOf(deps, project, maintainer.user, "maintainer");
});

const id = () => String(project.id);
const invite = (json: object, token = owner.token) =>
  callApi(invitations.POST, "POST", { token, path: { id: id() }, json });
const change = (email: string, json: object, token = owner.token) =>
  callApi(invitation.PUT, "PUT", { token, path: { id: id(), email }, json });
const revoke = (email: string, token = owner.token) =>
  callApi(invitation.DELETE, "DELETE", { token, path: { id: id(), email } });
const list = (query = "", token = owner.token) =>
  callApi(invitations.GET, "GET", { token, path: { id: id() }, query });

const SUCCESS = { status: 201, body: { status: "success" } };

describe("the invitations API", () => {
  it("the invitations API sends an invitation to each e-mail address of a list and lists the invitations, newest first", async () => {
    const terms = { access_level: 30, expires_at: "2037-01-01" };
    expect(await invite({ email: "One@example.com, two@example.com", ...terms })).toEqual(
      expect.objectContaining(SUCCESS),
    );
    const mails = (await listMessages(deps)).map(({ recipient }) => recipient).toSorted();
    expect(mails).toEqual(["One@example.com", "two@example.com"]);
    const { body } = await list();
    expect(body).toEqual([
      expect.objectContaining({ invite_email: "two@example.com" }),
      {
        id: expect.any(Number),
        invite_email: "One@example.com",
        created_at: expect.any(String),
        access_level: 30,
        expires_at: "2037-01-01",
        user_name: null,
        created_by_name: owner.user.name,
      },
    ]);
    expect((await list("?query=ONE@example.com")).body).toMatchObject([{ invite_email: "One@example.com" }]);
    expect((await list("?query=one")).body).toEqual([]);
  });

  it("the invitations API adds users by id immediately, and its response names each refused e-mail address and each refused user", async () => {
    await invite({ email: "one@example.com", access_level: 30 });
    await memberOf(deps, project, bob.user, "guest");
    const json = {
      email: "one@example.com,three@example.com,malformed",
      user_id: `${ann.user.id},${bob.user.id},999999`,
      access_level: 30,
    };
    expect(await invite(json)).toMatchObject({
      status: 201,
      body: {
        status: "error",
        message: {
          "one@example.com": "The member's email address has already been taken",
          malformed: "Invite email is invalid",
          bob: "User already exists in source",
          "999999": "User not found",
        },
      },
    });
    expect((await list()).body).toHaveLength(2);
    const members = await deps.db.projectMember.findMany({ where: { projectId: project.id } });
    expect(members.map(({ userId }) => userId)).toContain(ann.user.id);
  });

  it("the invitations API gives the same response for the e-mail address of an existing user and for an unknown e-mail address", async () => {
    const existing = await invite({ email: ann.user.email, access_level: 30 });
    const unknown = await invite({ email: "nobody@example.com", access_level: 30 });
    expect(existing.body).toEqual(unknown.body);
    const { body } = await list();
    expect((body as { user_name: null }[]).map(({ user_name }) => user_name)).toEqual([null, null]);
  });

  it("the invitations API requires an e-mail address or a user, accepts at most 100 invited people, and requires an expiry date in the future", async () => {
    expect(await invite({ access_level: 30 })).toMatchObject({ status: 400 });
    const many = Array.from({ length: 101 }, (_, at) => at + 1).join(",");
    expect(await invite({ user_id: many, email: "one@example.com", access_level: 30 })).toMatchObject({
      status: 400,
    });
    const past = { email: "one@example.com", access_level: 30, expires_at: "2001-01-01" };
    expect(await invite(past)).toMatchObject({ status: 400 });
    expect((await list()).body).toEqual([]);
  });

  it("the invitations API allows a maintainer to add users, but not to create, change or revoke invitations", async () => {
    const byMaintainer = await invite(
      { email: "one@example.com", user_id: ann.user.id, access_level: 30 },
      maintainer.token,
    );
    expect(byMaintainer.body).toEqual({
      status: "error",
      message: {
        "one@example.com": "On this server, only administrators can invite people. Ask an administrator.",
      },
    });
    await invite({ email: "one@example.com", access_level: 30 });
    expect(await change("one@example.com", { access_level: 20 }, maintainer.token)).toMatchObject({
      status: 403,
    });
    expect(await revoke("one@example.com", maintainer.token)).toMatchObject({ status: 403 });
    expect((await list("", maintainer.token)).body).toHaveLength(1);
  });

  it("the invitations API does not let a maintainer invite an Owner, and refuses every invitation while the setting that lets owners invite people is off", async () => {
    const refused = await invite({ user_id: ann.user.id, access_level: 50 }, maintainer.token);
    expect(refused.body).toMatchObject({ message: { ann: "not authorized to create member" } });
    await invite({ email: "one@example.com", access_level: 30 });
    await changeSettings(deps, { owners_can_invite: "false" });
    expect((await invite({ email: "two@example.com", access_level: 30 })).body).toMatchObject({
      status: "error",
    });
    expect(await change("one@example.com", { access_level: 20 })).toMatchObject({ status: 403 });
    expect(await revoke("one@example.com")).toMatchObject({ status: 204 });
  });

  it("the invitations API changes the role and the expiry date of an invitation, and records the change in the audit log", async () => {
    await invite({ email: "one@example.com", access_level: 30, expires_at: "2037-01-01" });
    expect(await change("ONE@example.com", { access_level: 40 })).toMatchObject({
      status: 200,
      body: { access_level: 40, expires_at: "2037-01-01" },
    });
    expect(await change("one@example.com", { expires_at: "" })).toMatchObject({
      body: { access_level: 40, expires_at: null },
    });
    const events = await deps.db.auditEvent.findMany({ where: { name: "invitation.changed" } });
    expect(events).toHaveLength(2);
    expect(await change("two@example.com", { access_level: 40 })).toMatchObject({ status: 404 });
    expect(await change("one@example.com", { expires_at: "2001-01-01" })).toMatchObject({ status: 400 });
  });

  it("the invitations API revokes an invitation only under the URL of the project or group to which the invitation belongs", async () => {
    const inGroup = { token: owner.token, path: { id: String(group.id) } };
    const json = { email: "one@example.com", access_level: 30 };
    expect(await callApi(groupInvitations.POST, "POST", { ...inGroup, json })).toMatchObject(SUCCESS);
    expect(await revoke("one@example.com")).toMatchObject({ status: 404 });
    const path = { ...inGroup.path, email: "one@example.com" };
    expect(await callApi(groupInvitation.DELETE, "DELETE", { token: owner.token, path })).toMatchObject({
      status: 204,
    });
    expect((await callApi(groupInvitations.GET, "GET", inGroup)).body).toEqual([]);
  });
});
