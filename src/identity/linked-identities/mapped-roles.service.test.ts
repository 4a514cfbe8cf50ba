import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { PROVIDER_SETTINGS } from "@/testing/identity-provider.ts";
import { groupOf } from "@/testing/projects.ts";
import { afterFirst, beforeFirstTransaction } from "@/testing/transactions.ts";
import type { Provider } from "../providers/rules.ts";
import { createProvider, findProvider } from "../providers/service.ts";
import type { Identity } from "./rules.ts";
import { accountOf, linkedAccountsOf, removeProvider, unlinkIdentity, userIdOf } from "./service.ts";

const deps = await openTestDeps();
const admin = await apiUser(deps, "chief", { admin: true });
await groupOf(deps, admin.user, "dev");
await groupOf(deps, admin.user, "ops");

let count = 0;
let provider: Provider;
let identity: Identity;

beforeEach(async () => {
  count += 1;
  const settings = {
    ...PROVIDER_SETTINGS,
    name: `corp${count}`,
    issuer: "https://corp.example",
    clientId: "gatehouse",
    enabled: true,
    groupsClaim: "groups",
    groupRules: ["developers = dev : developer", "operators = ops : reporter"],
  };
  expect(await createProvider(deps, admin.user, settings, "the secret of the client")).toBeNull();
  const stored = await findProvider(deps, settings.name);
  if (stored === null) throw new Error("There is no provider.");
  provider = stored;
  identity = {
    provider: stored.name,
    issuer: stored.issuer,
    subject: "1001",
    email: `zoe${count}@corp.example`,
    emailVerified: true,
    username: `zoe${count}`,
    name: "Zoe",
    groups: [],
  };
});

async function signIn(groups: readonly string[], by: Deps = deps) {
  const outcome = await accountOf(by, provider, { ...identity, groups }, "192.0.2.1");
  if (!("user" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.user;
}

async function rolesOf(userId: number): Promise<readonly string[]> {
  const where = { userId };
  const members = await deps.db.groupMember.findMany({ where, include: { group: true } });
  return members.map(({ group }) => group.path);
}

/** Returns dependencies whose transactions read groups in descending order, as PostgreSQL may do. */
const withReversedGroups = (): Deps => ({
  ...deps,
  transaction: (run) =>
    deps.transaction((within) => {
      const findMany = (input: object) => within.db.group.findMany({ orderBy: { id: "desc" }, ...input });
      const group = new Proxy(within.db.group, {
        get: (rows, name) => (name === "findMany" ? findMany : Reflect.get(rows, name)),
      });
      const db = new Proxy(within.db, {
        get: (all, name) => (name === "group" ? group : Reflect.get(all, name)),
      });
      return run({ ...within, db });
    }),
});

/** The call that records the use of a linked account. */
const RECORDED_USE = { table: "linkedIdentity", method: "updateMany" } as const;

describe("the roles of the group mapping", () => {
  it("the deletion of a provider removes the roles of its group mapping, even if a sign-in changes the roles simultaneously", async () => {
    const { id } = await signIn(["developers"]);
    expect(await rolesOf(id)).toEqual(["dev"]);
    const later = beforeFirstTransaction(deps, () => signIn(["operators"]));
    await removeProvider(later, admin.user, provider);
    expect(await rolesOf(id)).toEqual([]);
    expect(await linkedAccountsOf(deps, id)).toEqual([]);
  });

  it("a sign-in gives no roles of the group mapping if the provider is deleted simultaneously", async () => {
    const { id } = await signIn([]);
    const remove = () => removeProvider(deps, admin.user, provider);
    await signIn(["developers"], afterFirst(deps, RECORDED_USE, remove));
    expect(await findProvider(deps, provider.name)).toBeNull();
    expect(await rolesOf(id)).toEqual([]);
  });

  it("a sign-in gives no roles of the group mapping if the account is unlinked simultaneously", async () => {
    const user = await signIn([]);
    const [account] = await linkedAccountsOf(deps, user.id);
    const { passwordDigest } = await deps.db.user.findUniqueOrThrow({ where: { id: admin.user.id } });
    await deps.db.user.update({ where: { id: user.id }, data: { passwordDigest } });
    const unlink = async () =>
      expect(await unlinkIdentity(deps, user, account?.id ?? 0)).toHaveProperty("provider");
    await signIn(["developers"], afterFirst(deps, RECORDED_USE, unlink));
    expect(await rolesOf(user.id)).toEqual([]);
  });

  it("a sign-in changes the memberships in the order of the group ids, regardless of the order in which the database returns the groups", async () => {
    const { id } = await signIn(["developers", "operators"], withReversedGroups());
    const members = await deps.db.groupMember.findMany({ where: { userId: id }, orderBy: { id: "asc" } });
    const groupIds = members.map(({ groupId }) => groupId);
    expect(groupIds).toHaveLength(2);
    expect(groupIds).toEqual(groupIds.toSorted((a, b) => a - b));
  });

  it("the deletion of a provider removes all roles of its group mapping, even during simultaneous sign-ins", async () => {
    const { id } = await signIn(["developers"]);
    const late = ["operators", "developers", "operators"].map((group) => signIn([group]).catch(() => null));
    await Promise.all([...late, removeProvider(deps, admin.user, provider)]);
    expect(await rolesOf(id)).toEqual([]);
  });
});

describe("the account at a provider", () => {
  it("a linked account is found by its subject identifier and the current issuer of its provider", async () => {
    const { id } = await signIn([]);
    expect(await userIdOf(deps, provider.name, "1001")).toBe(id);
    expect(await userIdOf(deps, provider.name, "1002")).toBeNull();
    expect(await userIdOf(deps, "unknown", "1001")).toBeNull();
    const issuer = "https://other.example";
    await deps.db.identityProvider.update({ where: { name: provider.name }, data: { issuer } });
    expect(await userIdOf(deps, provider.name, "1001")).toBeNull();
  });
});
