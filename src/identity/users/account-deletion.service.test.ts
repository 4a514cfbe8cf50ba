import { POST as keepAccount, GET as showKeepAccount } from "@app/users/keep_account/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "@/access/roles.ts";
import { listMessages } from "@/instance/mail/service.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { firstPage } from "@/kernel/paging/paging.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { issue } from "@/oauth/tokens/service.ts";
import {
  bearerStatus,
  formPost,
  ORIGIN,
  PASSWORD,
  registeredClient,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { cookieIn, enrolledApp, postForm, sessionIn } from "@/testing/second-factor.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { sessionOf } from "../sessions/service.ts";
import { cancelOwnDeletion, requestDeletion, requestOwnDeletion } from "./account-deletion.ts";
import { activateUser } from "./account-states.ts";
import {
  blockUserAsAdministrator,
  listUsersForAdministrators,
  unblockUserAsAdministrator,
} from "./administration.ts";
import { deleteDueAccounts } from "./deletion-job.ts";
import { find } from "./service.ts";

const deps = await openTestDeps();
let root: SignedInUser;
let users = 0;
let ann: SignedInUser;

beforeAll(async () => {
  root = await signedInUser(deps, "mia");
  await deps.db.user.update({ where: { id: root.user.id }, data: { admin: true } });
});

beforeEach(async () => {
  users += 1;
  ann = await signedInUser(deps, `ann${users}`);
  await deps.db.mailMessage.deleteMany();
});

let iids = 0;
async function mergeRequestIn(project: AuthorizedProject, authorId: number): Promise<number> {
  iids += 1;
  const at = deps.clock();
  const sha = "0".repeat(40);
  const { id } = await deps.db.mergeRequest.create({
    data: {
      ...{ projectId: project.id, visibility: project.visibility, iid: iids, authorId },
      ...{ sourceBranch: "work", targetBranch: "main", title: "Work", titleLower: "work", description: "" },
      ...{ searchText: "work", draft: false, state: "closed", squash: false, removesSource: false },
      ...{ createdAt: at, updatedAt: at, headSha: sha, startSha: sha, changesCount: 0 },
      ...{ mergeability: "unchecked", behind: false, closedById: authorId, closedAt: at },
    },
  });
  return id;
}

/**
 * Creates a project that belongs to a group of another user, with contributions of the user who is deleted
 * later.
 */
async function contributions() {
  const group = await groupOf(deps, root.user, `group${users}`);
  const project = await projectOf(deps, root.user, `tool${users}`, { group });
  await memberOf(deps, project, ann.user, "maintainer" satisfies Role);
  const mergeRequestId = await mergeRequestIn(project, ann.user.id);
  const approval = { mergeRequestId, headSha: "0".repeat(40), createdAt: deps.clock() };
  await deps.db.mergeRequestApproval.create({ data: { ...approval, userId: ann.user.id } });
  const push = { projectId: project.id, headSha: "0".repeat(40), pushedAt: deps.clock() };
  await deps.db.branchPush.create({ data: { ...push, userId: ann.user.id, branch: "work" } });
  return { project, mergeRequestId };
}

const ghost = () => deps.db.user.findFirst({ where: { state: "ghost" } });
const personalProjects = () => deps.db.project.count({ where: { groupId: null, creatorId: ann.user.id } });
const kinds = async () => (await listMessages(deps)).map(({ kind, recipient }) => [kind, recipient]);

describe("blocking and unblocking a user who has requested the deletion", () => {
  it("if a user is blocked and unblocked, the requested deletion of the account is canceled, and a second block does not delete the account", async () => {
    expect(await requestOwnDeletion(deps, ann.user)).toHaveProperty("dueAt");
    expect(await blockUserAsAdministrator(deps, root.user, ann.user.id)).toBeNull();
    expect(await unblockUserAsAdministrator(deps, root.user, ann.user.id)).toBeNull();
    deps.advance(8 * 86_400);
    expect(await blockUserAsAdministrator(deps, root.user, ann.user.id)).toBeNull();
    await deleteDueAccounts(deps);
    expect(await find(deps, ann.user.username)).not.toBeNull();
  });
});

describe("the deletion of a user by an administrator", () => {
  it("the deletion of a user by an administrator ends all access immediately, and cannot be undone", async () => {
    const token = await createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt: null });
    if ("problems" in token) throw new Error("The token was not created.");
    expect(await requestDeletion(deps, root.user, ann.user.id, { hard: false })).toBeNull();
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await bearerStatus(token.value)).toBe(401);
    expect(sessionIn(await postForm({ login: ann.user.username, password: PASSWORD }))).toBe("");
    expect(await unblockUserAsAdministrator(deps, root.user, ann.user.id)).toBe("deleting");
    expect(await activateUser(deps, root.user, ann.user.id)).toBe("blocked");
    await deleteDueAccounts(deps);
    expect(await find(deps, ann.user.username)).toBeNull();
  });

  it("the deletion of a user assigns the contributions to the ghost user, and deletes personal projects, applications and grants", async () => {
    const { project, mergeRequestId } = await contributions();
    await projectOf(deps, ann.user, "own1");
    await projectOf(deps, ann.user, "own2");
    const client = await registeredClient(deps, ann.user);
    const grant = { type: "password", applicationId: client.application.id, scopes: ["read_user"] } as const;
    await issue(deps, await readSettings(deps), { ...grant, userId: root.user.id });
    expect(await requestDeletion(deps, root.user, ann.user.id, { hard: false })).toBeNull();
    await deleteDueAccounts(deps);
    const to = await ghost();
    expect(to).toMatchObject({ name: "Ghost User", username: "ghost" });
    expect(await deps.db.mergeRequest.findUnique({ where: { id: mergeRequestId } })).toMatchObject({
      authorId: to?.id,
      closedById: to?.id,
    });
    expect(await deps.db.mergeRequestApproval.findMany({ where: { mergeRequestId } })).toMatchObject([
      { userId: to?.id },
    ]);
    expect(await deps.db.branchPush.findMany({ where: { projectId: project.id } })).toMatchObject([
      { userId: to?.id },
    ]);
    expect(await personalProjects()).toBe(0);
    expect(await deps.db.application.count({ where: { uid: client.id } })).toBe(0);
    expect(await deps.db.oauthToken.count({ where: { userId: root.user.id } })).toBe(0);
    expect(await kinds()).toContainEqual(["account_deleted", ann.user.email]);
    const listed = await listUsersForAdministrators(deps, "", firstPage(20, { descending: true }));
    expect(listed.rows.map(({ username }) => username)).not.toContain("ghost");
  });

  it("the ghost user keeps only one approval when two users who approved the same merge request are deleted", async () => {
    const { mergeRequestId } = await contributions();
    const bob = await signedInUser(deps, `bob${users}`);
    const approval = { mergeRequestId, headSha: "0".repeat(40), createdAt: deps.clock() };
    await deps.db.mergeRequestApproval.create({ data: { ...approval, userId: bob.user.id } });
    for (const { id } of [ann.user, bob.user]) await requestDeletion(deps, root.user, id, { hard: false });
    await deleteDueAccounts(deps);
    expect(await deps.db.mergeRequestApproval.count({ where: { mergeRequestId } })).toBe(1);
    expect(await deps.db.user.count({ where: { state: "ghost" } })).toBe(1);
  });

  it("the only owner of a group cannot be deleted, except by a hard deletion, which also deletes the contributions and the group", async () => {
    const { mergeRequestId } = await contributions();
    const parent = await groupOf(deps, ann.user, `sole${users}`);
    const child = await groupOf(deps, ann.user, "child", { parent });
    await projectOf(deps, ann.user, "inside", { group: child });
    expect(await requestDeletion(deps, root.user, ann.user.id, { hard: false })).toBe("sole_owner");
    expect(await requestOwnDeletion(deps, ann.user)).toBe("sole_owner");
    expect(await requestDeletion(deps, root.user, ann.user.id, { hard: true })).toBeNull();
    await deleteDueAccounts(deps);
    expect(await deps.db.group.count({ where: { id: { in: [parent.id, child.id] } } })).toBe(0);
    expect(await deps.db.mergeRequest.count({ where: { id: mergeRequestId } })).toBe(0);
  });

  it("the owner of a group can be deleted if an ancestor of the group has another owner", async () => {
    const parent = await groupOf(deps, root.user, `shared${users}`);
    await memberOf(deps, parent, ann.user, "maintainer");
    const child = await groupOf(deps, root.user, "child", { parent });
    await memberOf(deps, child, ann.user, "owner");
    expect(await requestDeletion(deps, root.user, ann.user.id, { hard: false })).toBeNull();
  });

  it("an administrator cannot delete their own account by an administration action, and nobody can delete the last administrator", async () => {
    expect(await requestDeletion(deps, root.user, root.user.id, { hard: false })).toBe("self");
    expect(await requestDeletion(deps, null, root.user.id, { hard: false })).toBe("last_administrator");
    expect(await requestOwnDeletion(deps, root.user)).toBe("last_administrator");
  });
});

describe("the deletion of a user's own account", () => {
  const signIn = () => postForm({ login: ann.user.username, password: PASSWORD });

  it("the deletion of a user's own account ends all access immediately, and deletes the account after seven days", async () => {
    const token = await createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt: null });
    if ("problems" in token) throw new Error("The token was not created.");
    expect(await requestOwnDeletion(deps, ann.user)).toHaveProperty("dueAt");
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await bearerStatus(token.value)).toBe(403);
    expect(await kinds()).toContainEqual(["account_deletion_requested", ann.user.email]);
    expect(await requestOwnDeletion(deps, ann.user)).toBe("gone");
    deps.advance(7 * 86_400 - 60);
    await deleteDueAccounts(deps);
    expect(await find(deps, ann.user.username)).not.toBeNull();
    deps.advance(61);
    await deleteDueAccounts(deps);
    expect(await find(deps, ann.user.username)).toBeNull();
  });

  it("a user who signs in can cancel the deletion of the account with a button, and the tokens of the user then work again", async () => {
    const token = await createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt: null });
    if ("problems" in token) throw new Error("The token was not created.");
    await requestOwnDeletion(deps, ann.user);
    const refused = await signIn();
    expect([sessionIn(refused), refused.headers.get("location")]).toEqual([
      "",
      `${ORIGIN}/users/keep_account`,
    ]);
    const cookie = cookieIn(refused, "gatehouse_keep_account");
    const page = await showKeepAccount(new Request(`${ORIGIN}/users/keep_account`, { headers: { cookie } }));
    expect(await page.text()).toContain("Keep my account");
    expect(await bearerStatus(token.value)).toBe(403);
    const signedInAt = deps.clock();
    deps.advance(300);
    const session = sessionIn(await keepAccount(formPost("/users/keep_account", "", { cookie })));
    expect(await sessionOf(deps, session)).toMatchObject({ methods: ["password"], signedInAt });
    expect(await bearerStatus(token.value)).toBe(200);
    expect(sessionIn(await keepAccount(formPost("/users/keep_account", "", { cookie })))).toBe("");
    deps.advance(8 * 86_400);
    await deleteDueAccounts(deps);
    expect(await find(deps, ann.user.username)).not.toBeNull();
  });

  it("the password alone does not cancel the deletion of an account if the user has a second factor", async () => {
    await enrolledApp(deps, ann.user);
    await requestOwnDeletion(deps, ann.user);
    const response = await signIn();
    expect(response.headers.get("location")).toContain("/users/two_factor");
    expect(response.headers.getSetCookie().join()).not.toContain("gatehouse_keep_account");
  });

  it("the deletion of an account is not canceled by a request from another site, or after the deletion has begun", async () => {
    await requestOwnDeletion(deps, ann.user);
    const cookie = cookieIn(await signIn(), "gatehouse_keep_account");
    const foreign = { cookie, "sec-fetch-site": "cross-site" };
    expect((await keepAccount(formPost("/users/keep_account", "", foreign))).status).toBe(403);
    await deps.db.user.update({ where: { id: ann.user.id }, data: { state: "deleting" } });
    expect(await cancelOwnDeletion(deps, ann.user)).toBe(false);
  });

  it("the deletion of an account is canceled if an administrator activates the user", async () => {
    await requestOwnDeletion(deps, ann.user);
    expect(await activateUser(deps, root.user, ann.user.id)).toBeNull();
    deps.advance(8 * 86_400);
    await deleteDueAccounts(deps);
    expect(await find(deps, ann.user.username)).not.toBeNull();
  });
});
