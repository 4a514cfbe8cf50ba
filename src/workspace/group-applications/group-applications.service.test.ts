import { beforeEach, describe, expect, it } from "vitest";
import { blockUserAsAdministrator, unblockUserAsAdministrator } from "@/identity/users/administration.ts";
import { findApplication, setTrusted } from "@/oauth/applications/administration.ts";
import { addSecret, removeSecret, secretsOf } from "@/oauth/applications/client-secret.ts";
import { addMaintainer, removeMaintainer } from "@/oauth/applications/maintainer.ts";
import { listOwn } from "@/oauth/applications/own-list.ts";
import { change, findOwn, type Registered, registerForGroup, remove } from "@/oauth/applications/service.ts";
import { transferApplication } from "@/oauth/applications/transfer.ts";
import {
  authorizationQuery,
  bearerStatus,
  type Client,
  codeFor,
  exchangeOf,
  REDIRECT_URI,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf } from "@/testing/projects.ts";
import { refreshOf } from "@/testing/tokens.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { deleteGroup } from "../groups/service.ts";
import { removeMember } from "../members/service.ts";
import { findTarget } from "./service.ts";

const deps = await openTestDeps();
const root = await signedInUser(deps, "root");
await deps.db.user.update({ where: { id: root.user.id }, data: { admin: true } });
const admin = { ...root.user, admin: true };

let count = 0;
let ann: SignedInUser;
let bob: SignedInUser;
let group: AuthorizedGroup;

beforeEach(async () => {
  count += 1;
  [ann, bob] = [await signedInUser(deps, `ann${count}`), await signedInUser(deps, `bob${count}`)];
  group = await groupOf(deps, ann.user, `team${count}`);
});

const DRAFT = {
  name: "Wiki",
  redirectUris: REDIRECT_URI,
  scopes: ["read_user", "openid"],
  confidential: true,
  requiresPkce: false,
  allowsPassword: false,
};

async function ofGroup(owner: AuthorizedGroup = group, by = ann): Promise<Registered> {
  const outcome = await registerForGroup(deps, by.user, owner.id, DRAFT);
  if (outcome === null || "problems" in outcome) throw new Error("The application was not registered.");
  return outcome;
}

const clientOf = ({ application, secret }: Registered): Client => ({
  application,
  id: application.uid,
  secret: secret ?? undefined,
});

async function tokensOf(client: Client, user: SignedInUser) {
  const query = authorizationQuery(client, { scope: "read_user openid" });
  const { body } = await requestToken(exchangeOf(client, await codeFor(deps, user, query)));
  return { access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
}

const into = ({ id, fullPath }: AuthorizedGroup) => ({ groupId: id, fullPath });
const isManagedBy = async (user: SignedInUser, id: number) => (await findOwn(deps, user.user, id)) !== null;

describe(conformance("AP-08", "an application of a group"), () => {
  it("an application of a group is managed by every Owner of the group, including inherited Owners, and by no other user", async () => {
    const subgroup = await groupOf(deps, ann.user, "sub", { parent: group });
    const owner = await signedInUser(deps, `owner${count}`);
    await memberOf(deps, group, owner.user, "owner");
    await memberOf(deps, group, bob.user, "maintainer");
    const { application } = await ofGroup(subgroup);
    expect(application).toMatchObject({
      owner: { kind: "group", id: subgroup.id, path: subgroup.fullPath },
      trusted: false,
    });
    for (const user of [ann, owner, { ...root, user: admin }])
      expect(await findOwn(deps, user.user, application.id)).toMatchObject({ right: "own" });
    const { id } = application;
    expect(await change(deps, owner.user, id, { ...DRAFT, name: "Handbook" })).toHaveProperty("application");
    expect(await addSecret(deps, owner.user, id)).toHaveProperty("secret");
    const stranger = await signedInUser(deps, `stranger${count}`);
    for (const { user } of [bob, stranger]) {
      expect(await findOwn(deps, user, id)).toBeNull();
      expect(await registerForGroup(deps, user, subgroup.id, DRAFT)).toBeNull();
      expect(await change(deps, user, id, DRAFT)).toBeNull();
      expect(await addSecret(deps, user, id)).toBe("absent");
      expect(await removeSecret(deps, user, id, 1)).toBe("absent");
      expect(await secretsOf(deps, user, id)).toEqual([]);
      expect(await remove(deps, user, id)).toBeNull();
      expect(await transferApplication(deps, user, id, "self")).toBe("absent");
    }
    expect(await remove(deps, owner.user, id)).toMatchObject({ name: "Handbook" });
  });

  it("an application of a group is listed for the group, but not among the applications of the user who registered it", async () => {
    const { application } = await ofGroup();
    const own = await listOwn(deps, { kind: "manager", id: ann.user.id });
    expect(own.total).toBe(0);
    const listed = await listOwn(deps, { kind: "group", id: group.id }, { search: "wik" });
    expect(listed.rows.map(({ id }) => id)).toEqual([application.id]);
  });

  it("an Owner who left a group can no longer manage an application of the group", async () => {
    const { application } = await ofGroup();
    await memberOf(deps, group, bob.user, "owner");
    expect(await isManagedBy(ann, application.id)).toBe(true);
    const resource = { kind: "group", id: group.id, fullPath: group.fullPath } as const;
    await removeMember(deps, { resource, by: bob.user, held: "owner" }, ann.user.id);
    expect([await isManagedBy(ann, application.id), await isManagedBy(bob, application.id)]).toEqual([
      false,
      true,
    ]);
  });

  it("when a group or its ancestor is deleted, the applications of the group and their tokens are deleted, and the audit log records the number of applications", async () => {
    const subgroup = await groupOf(deps, ann.user, "sub", { parent: group });
    const registered = await ofGroup(subgroup);
    const client = clientOf(registered);
    const { access, refresh } = await tokensOf(client, bob);
    expect(await bearerStatus(access)).toBe(200);
    expect(await deleteGroup(deps, group, ann.user)).toBe("removed");
    expect(await findApplication(deps, registered.application.id)).toBeNull();
    expect(await bearerStatus(access)).toBe(401);
    expect((await requestToken(refreshOf(client, refresh))).status).toBe(401);
    const event = await deps.db.auditEvent.findFirst({
      where: { name: "group.removed" },
      orderBy: { id: "desc" },
    });
    expect(JSON.parse(event?.details ?? "")).toMatchObject({ applications: 1 });
  });
});

describe(conformance("SC-05", "an application of a group whose Owners are blocked"), () => {
  const block = async (user: SignedInUser) =>
    expect(await blockUserAsAdministrator(deps, admin, user.user.id)).toBeNull();

  it("an application of a group works until the last active Owner is blocked, and works again after an Owner is unblocked", async () => {
    const subgroup = await groupOf(deps, ann.user, "sub", { parent: group });
    await memberOf(deps, group, bob.user, "owner");
    const user = await signedInUser(deps, `user${count}`);
    const registered = await ofGroup(subgroup);
    const client = clientOf(registered);
    const { access, refresh } = await tokensOf(client, user);
    const { id } = registered.application;
    await block(ann);
    expect(await bearerStatus(access)).toBe(200);
    expect(await findApplication(deps, id)).toMatchObject({ ownerBlocked: false });
    await block(bob);
    expect(await bearerStatus(access)).toBe(401);
    expect((await requestToken(refreshOf(client, refresh))).status).toBe(401);
    expect(await findApplication(deps, id)).toMatchObject({ ownerBlocked: true });
    await setTrusted(deps, admin, id, true);
    expect(await bearerStatus(access)).toBe(200);
    await setTrusted(deps, admin, id, false);
    expect(await unblockUserAsAdministrator(deps, admin, bob.user.id)).toBeNull();
    expect((await requestToken(refreshOf(client, refresh))).status).toBe(200);
  });
});

describe(conformance("AP-09", "a transfer"), () => {
  it("a transfer of an application to a group and back requires the role Owner, keeps the tokens of the application, and is recorded in the audit log", async () => {
    const personal = await registeredClient(deps, ann.user, { scopes: ["read_user", "openid"] });
    const { id } = personal.application;
    const { access } = await tokensOf(personal, bob);
    const foreign = await groupOf(deps, bob.user, `foreign${count}`);
    expect(await transferApplication(deps, ann.user, id, into(foreign))).toBe("absent");
    expect(await transferApplication(deps, bob.user, id, into(foreign))).toBe("absent");
    expect(await transferApplication(deps, ann.user, id, "self")).toBe("same");
    expect(await transferApplication(deps, ann.user, id, into(group))).toMatchObject({ id });
    expect(await findApplication(deps, id)).toMatchObject({ owner: { kind: "group", id: group.id } });
    expect(await bearerStatus(access)).toBe(200);
    const other = await groupOf(deps, ann.user, `other${count}`);
    expect(await transferApplication(deps, ann.user, id, into(other))).toMatchObject({ id });
    expect(await transferApplication(deps, ann.user, id, "self")).toMatchObject({ id });
    expect(await findApplication(deps, id)).toMatchObject({ owner: { kind: "user", id: ann.user.id } });
    const where = { name: "application.transferred", applicationId: id };
    const events = await deps.db.auditEvent.findMany({ where, orderBy: { id: "asc" } });
    expect(events.map(({ details }) => JSON.parse(details))).toEqual([
      { from: `@${ann.user.username}`, to: group.fullPath },
      { from: group.fullPath, to: other.fullPath },
      { from: other.fullPath, to: `@${ann.user.username}` },
    ]);
  });

  it("a trusted application is no longer trusted after a transfer, unless an administrator transfers the application", async () => {
    const { application } = await registeredClient(deps, ann.user);
    await setTrusted(deps, admin, application.id, true);
    await transferApplication(deps, ann.user, application.id, into(group));
    expect(await findApplication(deps, application.id)).toMatchObject({ trusted: false });
    const trusted = await registeredClient(deps, admin);
    await setTrusted(deps, admin, trusted.application.id, true);
    await transferApplication(deps, admin, trusted.application.id, into(group));
    expect(await findApplication(deps, trusted.application.id)).toMatchObject({ trusted: true });
  });

  it("a user can transfer an application only to the user's own account, or to a group in which the user is an Owner", async () => {
    await memberOf(deps, group, bob.user, "maintainer");
    expect(await findTarget(deps, ann.user, group.fullPath.toUpperCase())).toMatchObject({
      owner: { groupId: group.id },
    });
    expect(await findTarget(deps, ann.user, ` ${ann.user.username}`.trim())).toMatchObject({ owner: "self" });
    expect(await findTarget(deps, bob.user, group.fullPath)).toBe("not_owner");
    for (const text of [bob.user.username, String(group.id), "", "no/such/group"])
      expect(await findTarget(deps, ann.user, text), text).toBe("unknown");
  });
});

describe(conformance("AP-10", "the second maintainer of an application"), () => {
  it("the second maintainer may edit an application and its secrets, but may not delete or transfer the application, and may not choose maintainers", async () => {
    const { application } = await registeredClient(deps, ann.user);
    const { id } = application;
    expect(await addMaintainer(deps, ann.user, id, bob.user.username.toUpperCase())).toMatchObject({
      id: bob.user.id,
    });
    expect(await findOwn(deps, bob.user, id)).toMatchObject({ right: "edit" });
    expect((await listOwn(deps, { kind: "manager", id: bob.user.id })).rows).toMatchObject([{ id }]);
    expect(await change(deps, bob.user, id, { ...DRAFT, name: "Handbook" })).toHaveProperty("application");
    expect(await addSecret(deps, bob.user, id)).toHaveProperty("secret");
    expect(await remove(deps, bob.user, id)).toBeNull();
    const own = await groupOf(deps, bob.user, `own${count}`);
    expect(await transferApplication(deps, bob.user, id, into(own))).toBe("absent");
    expect(await transferApplication(deps, bob.user, id, "self")).toBe("absent");
    expect(await addMaintainer(deps, bob.user, id, root.user.username)).toBe("absent");
    expect(await addMaintainer(deps, ann.user, id, root.user.username)).toBe("has_maintainer");
  });

  it.each(["the owner", "the maintainer"])(
    "the second maintainer of an application can be removed by %s",
    async (by) => {
      const { application } = await registeredClient(deps, ann.user);
      await addMaintainer(deps, ann.user, application.id, bob.user.username);
      const remover = by === "the owner" ? ann : bob;
      const stranger = await signedInUser(deps, `stranger${count}`);
      expect(await removeMaintainer(deps, stranger.user, application.id)).toBe(false);
      expect(await removeMaintainer(deps, remover.user, application.id)).toBe(true);
      expect(await isManagedBy(bob, application.id)).toBe(false);
      expect(await isManagedBy(ann, application.id)).toBe(true);
    },
  );

  it("the second maintainer must be another active user of the instance, and a transfer of the application removes the second maintainer", async () => {
    const { application } = await registeredClient(deps, ann.user);
    const { id } = application;
    await blockUserAsAdministrator(deps, admin, bob.user.id);
    for (const name of ["nobody", "", bob.user.username, bob.user.email])
      expect(await addMaintainer(deps, ann.user, id, name), name).toBe("unknown_user");
    expect(await addMaintainer(deps, ann.user, id, ann.user.username)).toBe("is_owner");
    await unblockUserAsAdministrator(deps, admin, bob.user.id);
    await addMaintainer(deps, ann.user, id, bob.user.username);
    await transferApplication(deps, ann.user, id, into(group));
    expect(await isManagedBy(bob, id)).toBe(false);
    expect(await addMaintainer(deps, ann.user, id, bob.user.username)).toBe("absent");
  });
});
