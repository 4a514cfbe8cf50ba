import { expect, it } from "vitest";
import { ROLES } from "@/access/roles.ts";
import { listRunners } from "@/fleet/runners/service.ts";
import { assign } from "@/fleet/runners/store.ts";
import { NAMED_MAX, padToPowerOfFour } from "@/kernel/db/conditions.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { findGroup, listGroups, listSubgroups } from "../groups/service.ts";
import { ancestorsOf, GROUPS_NAMED_MAX } from "../hierarchy/descendants.ts";
import { listProjects, type ProjectSearch } from "../projects/service.ts";
import { visibilityFilterOf } from "./visibility-filter.ts";

const deps = await openTestDeps();
const page = { kind: "offset", page: 1, perPage: 100 } as const;

it("listProjects returns the same projects whether the visibility filter contains id lists or a membership subquery, and returns no projects to users without a membership", async () => {
  const owner = (await apiUser(deps, "owner")).user;
  const member = (await apiUser(deps, "member")).user;
  const outsider = (await apiUser(deps, "outsider")).user;
  const now = deps.clock();
  const group = await groupOf(deps, owner, "top", { visibility: "private" });
  const place = (path: string) => ({
    name: path,
    path,
    fullPath: path,
    fullPathLower: path,
    description: "",
  });
  await deps.db.project.createMany({
    data: Array.from({ length: NAMED_MAX + 2 }, (_, at) => ({
      ...{ ...place(`top/p${at}`), nameLower: `p${at}`, visibility: "private", groupId: group.id },
      ...{ createdAt: now, lastActivityAt: now },
    })),
  });
  const projects = await deps.db.project.findMany({ select: { id: true }, orderBy: { id: "asc" } });
  const plain = { description: "", paused: false, locked: false, runUntagged: true, createdAt: now };
  const runner = { ...plain, kind: "project_type", digest: "d", accessLevel: "not_protected" };
  const { id: runnerId } = await deps.db.runner.create({ data: runner });
  await assign(deps.db, runnerId, projects[0]?.id ?? 0);

  const visibleTo = async (user: typeof owner) => {
    const among = { memberOnly: true, minLevel: ROLES.maintainer.level, search: "p", descending: false };
    const [projectPage, runners, groups] = await Promise.all([
      listProjects(deps, user, among, page),
      listRunners(deps, { of: "user", id: user.id }, { paused: false }, page),
      listGroups(deps, user, { search: "t" }, page),
    ]);
    return [projectPage.total, runners.total, groups.total];
  };
  const join = (from: number, to: number) =>
    deps.db.projectMember.createMany({
      data: projects.slice(from, to).map(({ id }) => ({
        ...{ projectId: id, userId: member.id, role: ROLES.maintainer.level, createdAt: now },
      })),
    });

  expect(await visibleTo(owner)).toEqual([NAMED_MAX + 2, 1, 1]);
  expect(await visibleTo(outsider)).toEqual([0, 0, 0]);
  expect(await visibleTo(member)).toEqual([0, 0, 0]);
  await join(0, 3);
  expect(await visibleTo(member)).toEqual([3, 1, 1]);
  await join(3, projects.length);
  expect(await visibilityFilterOf(deps.reads, member.id, 0, now)).toMatchObject({
    projectIds: null,
    groups: { allIds: [] },
  });
  expect(await visibleTo(member)).toEqual([NAMED_MAX + 2, 1, 1]);
});

it("listProjects returns the projects of a group with any number of descendants, and no projects of other groups", async () => {
  const [owner, above, inner, outer, both] = await Promise.all(
    ["chief", "above", "inner", "outer", "both"].map(async (name) => (await apiUser(deps, name)).user),
  );
  if (!owner || !above || !inner || !outer || !both) throw new Error("A user is missing.");
  const [big, other] = await Promise.all(
    ["big", "other"].map((path) => groupOf(deps, owner, path, { visibility: "private" })),
  );
  if (!big || !other) throw new Error("A group is missing.");
  const middle = await groupOf(deps, owner, "middle", { visibility: "private", parent: big });
  const deep = await groupOf(deps, owner, "deep", { visibility: "private", parent: middle });
  const right = await projectOf(deps, owner, "right", { group: big });
  await projectOf(deps, owner, "low", { group: deep });
  await projectOf(deps, owner, "separate", { group: other });
  const now = deps.clock();
  const lastActivityAt = new Date(now.getTime() + 1);
  await deps.db.project.update({ where: { id: right.id }, data: { lastActivityAt } });
  const join = (userId: number, groupId: number) =>
    deps.db.groupMember.create({ data: { userId, groupId, role: ROLES.reporter.level, createdAt: now } });
  await join(above.id, big.id);
  await join(inner.id, middle.id);
  await join(outer.id, other.id);
  await join(both.id, middle.id);
  await join(both.id, other.id);
  const visibleTo = async (user: typeof owner) => {
    const paths = async (search: ProjectSearch) =>
      (await listProjects(deps, user, { order: "path", descending: false, ...search }, page)).rows.map(
        ({ path }) => path,
      );
    const names = { search: "e" };
    const active = { order: "last_activity_at", descending: true } as const;
    return {
      all: await paths({}),
      members: await paths({ memberOnly: true, minLevel: ROLES.reporter.level }),
      active: await paths({ ...active, memberOnly: true, minLevel: ROLES.reporter.level }),
      developers: await paths({ memberOnly: true, minLevel: ROLES.developer.level }),
      groups: (await listGroups(deps, user, { ...names, parentId: null }, page)).total,
    };
  };
  const expected = [
    { all: ["low", "right"], members: ["low", "right"], active: ["right", "low"], developers: [], groups: 0 },
    { all: ["low"], members: ["low"], active: ["low"], developers: [], groups: 0 },
    { all: ["separate"], members: ["separate"], active: ["separate"], developers: [], groups: 1 },
    {
      ...{ all: ["low", "separate"], members: ["low", "separate"], active: ["separate", "low"] },
      ...{ developers: [], groups: 1 },
    },
  ];
  expect(await Promise.all([above, inner, outer, both].map(visibleTo))).toEqual(expected);
  expect(await visibilityFilterOf(deps.reads, above.id, 0, now)).toMatchObject({
    groups: { groupIds: [big.id] },
  });

  // Each of the three groups gets more subgroups than the list of ids in a query condition can contain.
  const parents = [big, deep, other];
  await deps.db.group.createMany({
    data: parents.flatMap(({ id, fullPath }) =>
      Array.from({ length: GROUPS_NAMED_MAX + 1 }, (_, at) => {
        const full = { fullPath: `${fullPath}/g${at}`, fullPathLower: `${fullPath}/g${at}` };
        const named = { name: "g", path: `g${at}`, description: "", visibility: "private" };
        return { ...full, ...named, parentId: id, createdAt: now };
      }),
    ),
  });
  const ancestors = new Map(
    await Promise.all(parents.map(async ({ id }) => [id, await ancestorsOf(deps.reads, id)] as const)),
  );
  const below = await deps.db.group.findMany({ where: { parentId: { in: parents.map(({ id }) => id) } } });
  await deps.db.groupAncestor.createMany({
    data: below
      .filter(({ path }) => path.startsWith("g"))
      .flatMap(({ id, parentId }) =>
        [id, ...(ancestors.get(parentId ?? 0) ?? [])].map((ancestorId) => ({ groupId: id, ancestorId })),
      ),
  });
  for (const { id } of [above, inner, outer, both])
    expect(await visibilityFilterOf(deps.reads, id, 0, now)).toMatchObject({ groups: { allIds: null } });
  expect(await Promise.all([above, inner, outer, both].map(visibleTo))).toEqual(expected);
});

it("lists of projects and groups contain all contents of a group for its members, filtered by the minimum access level", async () => {
  const reporter = (await apiUser(deps, "reporter")).user;
  const root = (await apiUser(deps, "overseer", { admin: true })).user;
  const owner = (await apiUser(deps, "founder")).user;
  const group = await groupOf(deps, owner, "shown", { visibility: "private" });
  await groupOf(deps, owner, "below", { visibility: "private", parent: group });
  await projectOf(deps, owner, "inside", { group });
  const role = ROLES.reporter.level;
  await deps.db.groupMember.create({
    data: { userId: reporter.id, groupId: group.id, role, createdAt: deps.clock() },
  });
  const totalsFor = async (
    user: typeof root,
    search: Readonly<{ memberOnly: boolean; minLevel: number }>,
  ) => {
    const of = await findGroup(deps, "shown", user);
    if (of === null) return null;
    const projects = await listProjects(
      deps,
      user,
      { ...search, group: { of, includesDescendants: true } },
      page,
    );
    const groups = await listSubgroups(deps, user, of, search, page);
    return [projects.total, groups.total];
  };
  const anyLevel = { memberOnly: false, minLevel: 0 };
  const of = await findGroup(deps, "shown", reporter);
  if (of === null) throw new Error("The group is missing.");
  const direct = { group: { of, includesDescendants: false }, order: "last_activity_at" } as const;
  expect((await listProjects(deps, reporter, direct, page)).rows.map(({ path }) => path)).toEqual(["inside"]);
  expect(await totalsFor(reporter, anyLevel)).toEqual([1, 1]);
  expect(await totalsFor(reporter, { memberOnly: true, minLevel: role })).toEqual([1, 1]);
  expect(await totalsFor(reporter, { memberOnly: true, minLevel: ROLES.developer.level })).toEqual([0, 0]);
  expect(await totalsFor(root, anyLevel)).toEqual([1, 1]);
  expect(await totalsFor(root, { memberOnly: true, minLevel: 0 })).toEqual([0, 0]);
  await deps.db.groupMember.updateMany({
    where: { userId: reporter.id },
    data: { expiresAt: deps.clock() },
  });
  expect(await totalsFor(reporter, anyLevel)).toBe(null);
});

it("visibilityFilterOf lists the maximum number of ids without exceeding the parameter limit of a statement", async () => {
  const busy = (await apiUser(deps, "busy")).user;
  const owner = (await apiUser(deps, "lord")).user;
  const now = deps.clock();
  const top = await groupOf(deps, owner, "everything", { visibility: "private" });
  const many = (length: number, parentId: number | null, kind: string) =>
    Array.from({ length }, (_, at) => ({
      ...{ name: kind, path: `${kind}${at}`, fullPath: `${kind}${at}`, fullPathLower: `${kind}${at}` },
      ...{ description: "", visibility: "private", parentId, createdAt: now },
    }));
  const half = GROUPS_NAMED_MAX / 2;
  const firstGroups = [...many(half, null, "tip"), ...many(half, top.id, "leaf")];
  await deps.db.group.createMany({ data: [...firstGroups, ...many(half, top.id, "twig")] });
  const groups = await deps.db.group.findMany({ where: { name: { in: ["tip", "leaf", "twig"] } } });
  const ids = (kind: string) => groups.filter(({ name }) => name === kind).map(({ id }) => id);
  const [first = 0] = ids("tip");
  await deps.db.groupAncestor.createMany({
    data: [
      ...groups.map(({ id }) => ({ groupId: id, ancestorId: id })),
      ...[...ids("leaf"), ...ids("twig")].map((groupId) => ({ groupId, ancestorId: first })),
    ],
  });
  const member = { userId: busy.id, role: ROLES.owner.level, createdAt: now };
  await deps.db.groupMember.createMany({
    data: [...ids("tip"), ...ids("leaf")].map((groupId) => ({ ...member, groupId })),
  });
  const projects = await deps.db.project.findMany({ take: NAMED_MAX, select: { id: true } });
  await deps.db.projectMember.createMany({ data: projects.map(({ id }) => ({ ...member, projectId: id })) });
  const filter = await visibilityFilterOf(deps.reads, busy.id, 0, now);
  expect([filter.projectIds?.length, filter.groups?.groupIds.length, filter.groups?.allIds]).toEqual([
    NAMED_MAX,
    GROUPS_NAMED_MAX,
    null,
  ]);
  const [projectPage, groupPage] = await Promise.all([
    listProjects(deps, busy, {}, page),
    listGroups(deps, busy, { search: "tip" }, page),
    listRunners(deps, { of: "user", id: busy.id }, { tags: ["a", "b"] }, page),
  ]);
  expect([projectPage.total, groupPage.total]).toEqual([NAMED_MAX, half]);
});

it("padToPowerOfFour repeats the last id until the length of the list is a power of four", () => {
  expect(padToPowerOfFour([])).toEqual([]);
  expect(padToPowerOfFour([7])).toEqual([7]);
  expect(padToPowerOfFour([7, 8])).toEqual([7, 8, 8, 8]);
  expect(padToPowerOfFour(Array.from({ length: 65 }, (_, at) => at))).toHaveLength(256);
});
