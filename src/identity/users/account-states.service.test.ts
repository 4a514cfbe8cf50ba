import { GET as readUser } from "@app/api/v4/user/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listMessages } from "@/instance/mail/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { callApi } from "@/testing/api.ts";
import { PASSWORD, type SignedInUser, signedInCookie, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { postForm, sessionIn } from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import {
  activateUser,
  approveUser,
  deactivateUser,
  listPendingApprovals,
  rejectUser,
} from "./account-states.ts";
import { blockUserAsAdministrator, unblockUserAsAdministrator } from "./administration.ts";
import { find } from "./service.ts";
import { signUp } from "./sign-up.ts";

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

const stateOf = async (id: number) => (await deps.db.user.findUnique({ where: { id } }))?.state;

async function dormant(): Promise<void> {
  await deps.db.auditEvent.deleteMany({ where: { userId: ann.user.id, name: "sign_in.succeeded" } });
  const createdAt = new Date(deps.clock().getTime() - 91 * 86_400_000);
  await deps.db.session.updateMany({ where: { userId: ann.user.id }, data: { createdAt } });
}

describe("a deactivated user", () => {
  it("a deactivated user has no access with a token or a session until the next sign-in, which activates the user", async () => {
    const token = await createPersonalToken(deps, ann.user, { name: "t", scopes: ["api"], expiresAt: null });
    if ("problems" in token) throw new Error("The token was not created.");
    const read = () => callApi(readUser, "GET", { token: token.value });
    await dormant();
    expect(await deactivateUser(deps, root.user, ann.user.id)).toBeNull();
    expect(await sessionOf(deps, ann.cookie)).toBeNull();
    expect(await read()).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("Your account has been deactivated by your administrator.") },
    });
    expect(await signedInCookie(ann.user.username)).toContain("gatehouse_session=");
    expect((await read()).status).toBe(200);
    const events = await deps.db.auditEvent.findMany({
      where: { userId: ann.user.id, name: { in: ["user.deactivated", "user.activated"] } },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ name, actorId, details }) => [name, actorId, details])).toEqual([
      ["user.deactivated", root.user.id, "{}"],
      ["user.activated", null, '{"by":"owner"}'],
    ]);
  });

  it("an administrator can activate a deactivated user, but cannot unblock a deactivated user", async () => {
    await dormant();
    await deactivateUser(deps, root.user, ann.user.id);
    expect(await unblockUserAsAdministrator(deps, root.user, ann.user.id)).toBe("deactivated");
    expect(await activateUser(deps, root.user, ann.user.id)).toBeNull();
    expect(await stateOf(ann.user.id)).toBe("active");
  });
});

describe("deactivation", () => {
  it("an administrator cannot deactivate a user who signed in within 90 days, a blocked user or the administrator's own account", async () => {
    expect(await deactivateUser(deps, root.user, ann.user.id)).toBe("recently_active");
    await blockUserAsAdministrator(deps, root.user, ann.user.id);
    expect(await deactivateUser(deps, root.user, ann.user.id)).toBe("blocked");
    expect(await activateUser(deps, root.user, ann.user.id)).toBe("blocked");
    expect(await deactivateUser(deps, root.user, root.user.id)).toBe("self");
  });

  it("the last administrator cannot be deactivated on the command line", async () => {
    expect(await deactivateUser(deps, null, root.user.id)).toBe("last_administrator");
  });
});

describe("a registration that needs approval", () => {
  const registered = async (username: string) => {
    const settings = { signup_enabled: "true", require_admin_approval_after_user_signup: "true" };
    await changeSettings(deps, settings);
    const form = { username, name: "", email: `${username}@example.com`, password: PASSWORD };
    await signUp(deps, form, "192.0.2.1");
    const user = await find(deps, username);
    if (user === null) throw new Error("The account was not created.");
    return user;
  };
  const kinds = async () => (await listMessages(deps)).map(({ kind, recipient }) => [kind, recipient]);

  it("a registration that needs approval informs the administrators, and the user can sign in only after the approval", async () => {
    const { id, username } = await registered(`eve${users}`);
    expect(await kinds()).toContainEqual(["approval_requested", root.user.email]);
    const refused = await postForm({ login: username, password: PASSWORD });
    expect([sessionIn(refused), refused.headers.get("location")]).toEqual([
      "",
      expect.stringContaining("problem=unapproved"),
    ]);
    const wrong = await postForm({ login: username, password: "not the password" });
    expect(wrong.headers.get("location")).toContain("problem=wrong");
    expect(await listPendingApprovals(deps)).toContainEqual({ id, username });
    expect(await approveUser(deps, root.user, id)).toBeNull();
    expect(await listPendingApprovals(deps)).not.toContainEqual({ id, username });
    expect(await approveUser(deps, root.user, id)).toBe("not_pending");
    expect(await kinds()).toContainEqual(["account_approved", `${username}@example.com`]);
    expect(sessionIn(await postForm({ login: username, password: PASSWORD }))).not.toBe("");
  });

  it("a rejected registration is deleted, and the user gets an e-mail", async () => {
    const { id, username } = await registered(`eve${users}`);
    expect(await rejectUser(deps, root.user, ann.user.id)).toBe("not_pending");
    expect(await rejectUser(deps, root.user, id)).toBeNull();
    expect(await find(deps, username)).toBeNull();
    expect(await kinds()).toContainEqual(["account_rejected", `${username}@example.com`]);
  });
});
