import { beforeAll, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { listRunners } from "@/fleet/runners/service.ts";
import { COUNTED_MAX, type Page, type Paging } from "@/kernel/paging/paging.ts";
import { listMergeRequests } from "@/review/merge-request-search/service.ts";
import { signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import { findGroup, listGroups } from "@/workspace/groups/service.ts";
import { listProjects } from "@/workspace/projects/service.ts";

// A list without filters that is requested by page numbers is read by a prepared statement, and a list that is
// requested by keyset is read by Prisma. The tests compare the rows of the two lists.

const deps = await openTestDeps();

/** Without this number of subgroups, conditions would contain the ids of all descendants of a group. */
const SUBGROUPS = 66;
const VISIBILITIES = ["private", "internal", "private", "public"] as const;
const STATES = ["opened", "merged", "closed"] as const;
const at = (index: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, (index * 7) % 11));

let [ann, bob, eve, root]: User[] = [];
let [topId, otherId] = [0, 0];
let topGroup: AuthorizedGroup | null = null;
let projectIds: readonly number[] = [];

const userOf = (user: User | undefined): User => {
  if (user === undefined) throw new Error("The user was not created.");
  return user;
};

beforeAll(async () => {
  const { db } = deps;
  [ann, bob, eve] = await Promise.all(
    ["ann", "bob", "eve"].map(async (name) => (await signedInUser(deps, name)).user),
  );
  const administrator = (await signedInUser(deps, "zoe")).user;
  await db.user.update({ where: { id: administrator.id }, data: { admin: true } });
  root = { ...administrator, admin: true };

  async function insertGroup(
    path: string,
    parentId: number | null,
    ancestors: readonly number[],
    index: number,
  ) {
    const visibility = VISIBILITIES[index % VISIBILITIES.length] ?? "private";
    const data = { name: path, path, fullPath: path, fullPathLower: path, description: "", visibility };
    const { id } = await db.group.create({ data: { ...data, parentId, createdAt: at(index) } });
    await db.groupAncestor.createMany({
      data: [...ancestors, id].map((ancestorId) => ({ groupId: id, ancestorId })),
    });
    return id;
  }
  topId = await insertGroup("top", null, [], 0);
  otherId = await insertGroup("other", null, [], 0);
  const subgroups: number[] = [];
  for (let index = 0; index < SUBGROUPS; index += 1)
    subgroups.push(await insertGroup(`top-${index}`, topId, [topId], index));
  const [firstSubgroup = 0] = subgroups;
  const deep = await insertGroup("deep", firstSubgroup, [topId, firstSubgroup], 0);
  const others: number[] = [];
  for (let index = 0; index < 8; index += 1)
    others.push(await insertGroup(`other-${index}`, otherId, [otherId], index));

  const places = [
    ...[topId, topId, deep, ...subgroups.slice(0, 9)].map((groupId) => ({ groupId, topGroupId: topId })),
    ...[otherId, otherId, ...others].map((groupId) => ({ groupId, topGroupId: otherId })),
    ...Array.from({ length: 4 }, () => ({ groupId: null, topGroupId: null })),
  ];
  const projects = await db.project.createManyAndReturn({
    data: places.map((place, index) => ({
      ...{ name: `p${index}`, nameLower: `p${index}`, path: `p${index}`, fullPath: `p${index}` },
      ...{ fullPathLower: `p${index}`, description: "", creatorId: userOf(eve).id, ...place },
      ...{ visibility: VISIBILITIES[index % VISIBILITIES.length] ?? "private" },
      ...{ createdAt: at(index), lastActivityAt: at(index + 3) },
    })),
  });
  projectIds = projects.map(({ id }) => id);

  const member = { role: 50, createdAt: at(0), expiresAt: null };
  await db.groupMember.createMany({
    data: [
      { ...member, groupId: topId, userId: userOf(ann).id },
      { ...member, groupId: others[0] ?? 0, userId: userOf(bob).id },
      // An expired membership grants no access.
      { ...member, groupId: otherId, userId: userOf(ann).id, expiresAt: at(0) },
    ],
  });
  await db.projectMember.createMany({
    data: [ann, bob].map((user) => ({
      ...member,
      projectId: projectIds.at(-2) ?? 0,
      userId: userOf(user).id,
    })),
  });

  topGroup = await findGroup(deps, "top", userOf(ann));

  const kinds = ["instance_type", "group_type", "project_type"];
  const runners = await db.runner.createManyAndReturn({
    data: Array.from({ length: 45 }, (_, index) => ({
      ...{
        kind: kinds[index % 3] ?? "",
        digest: `digest ${index}`,
        description: "",
        accessLevel: "not_protected",
      },
      ...{ paused: false, locked: false, runUntagged: true, createdAt: at(index) },
      groupId: index % 3 === 1 ? ([topId, deep, otherId, others[0] ?? 0][index % 4] ?? 0) : null,
    })),
  });
  await db.runnerProject.createMany({
    data: runners.flatMap(({ id: runnerId, kind }, index) => {
      const project = projects[index % projects.length];
      if (kind !== "project_type" || project === undefined) return [];
      const { id: projectId, groupId, topGroupId } = project;
      return [{ runnerId, projectId, groupId, topGroupId }];
    }),
  });

  await db.mergeRequest.createMany({
    data: projects.flatMap(({ id: projectId, visibility, groupId, topGroupId }, index) =>
      STATES.map((state, number) => ({
        ...{ projectId, visibility, groupId, topGroupId, iid: number + 1, state },
        ...{ sourceBranch: "topic", targetBranch: "main", title: "T", titleLower: "t", description: "" },
        ...{ searchText: "t", draft: false, authorId: userOf(index % 2 === 0 ? eve : ann).id, squash: false },
        ...{ removesSource: false, createdAt: at(index + number), updatedAt: at(index), headSha: "a" },
        ...{ startSha: "a", changesCount: 0, mergeability: "unchecked", behind: false },
      })),
    ),
  });
});

type List = (paging: Paging) => Promise<Page<Readonly<{ id: number }>>>;

const PER_PAGE = 7;

/** Returns the ids of all pages of a list that is requested by page numbers, and the total of the first page. */
async function byNumber(list: List) {
  const ids: number[] = [];
  let total: number | null = null;
  for (let page = 1; ; page += 1) {
    const shown = await list({ kind: "offset", page, perPage: PER_PAGE });
    if (page === 1) total = shown.total;
    ids.push(...shown.rows.map(({ id }) => id));
    if (shown.rows.length < PER_PAGE) return { ids, total };
  }
}

/** Returns the ids of all pages of a list that is requested by keyset, in ascending order. */
async function byKeyset(list: List): Promise<readonly number[]> {
  const ids: number[] = [];
  let key: number | null = null;
  for (;;) {
    const cursor: Readonly<{ direction: "next"; key: number }> | null =
      key === null ? null : { direction: "next", key };
    const page = await list({ kind: "keyset", perPage: PER_PAGE, cursor, descending: false });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) return ids;
    key = page.next;
  }
}

const runnersOf = (visibility: () => Parameters<typeof listRunners>[1]) => (): List => (paging) =>
  listRunners(deps, visibility(), {}, paging);
const projectsOf =
  (user: () => User | undefined, search: Parameters<typeof listProjects>[2] = {}) =>
  (): List =>
  (paging) =>
    listProjects(deps, userOf(user()), { order: "created_at", ...search }, paging);
const groupsOf =
  (user: () => User | undefined, search: Parameters<typeof listGroups>[2] = {}) =>
  (): List =>
  (paging) =>
    listGroups(deps, userOf(user()), search, paging);
const mergeRequestsOf =
  (
    user: () => User | undefined,
    search: () => Partial<Parameters<typeof listMergeRequests>[2]> = () => ({}),
  ) =>
  (): List =>
  (paging) =>
    listMergeRequests(deps, userOf(user()), { order: "created_at", descending: true, ...search() }, paging);
const inTopGroup = () => {
  if (topGroup === null) throw new Error("The group was not created.");
  return { group: topGroup };
};

it.each<[string, () => List]>([
  ["all runners", runnersOf(() => ({ of: "all" }))],
  ["the runners of an Owner of a large group", runnersOf(() => ({ of: "user", id: userOf(ann).id }))],
  ["the runners of an Owner of a small group", runnersOf(() => ({ of: "user", id: userOf(bob).id }))],
  ["the runners of a group", runnersOf(() => ({ of: "group", id: topId }))],
  ["the runners of a project", runnersOf(() => ({ of: "project", id: projectIds[2] ?? 0, groupId: topId }))],
  ["the projects of the instance", projectsOf(() => root)],
  ["the projects that a member of a large group can see", projectsOf(() => ann)],
  ["the projects that a member of a small group can see", projectsOf(() => bob)],
  ["the projects that a user without memberships can see", projectsOf(() => eve)],
  ["the projects that were active last", projectsOf(() => ann, { order: "last_activity_at" })],
  ["the groups of the instance", groupsOf(() => root)],
  ["the groups that a member of a large group can see", groupsOf(() => ann)],
  ["the groups that a member of a small group can see", groupsOf(() => bob)],
  ["the groups that a user without memberships can see", groupsOf(() => eve)],
  ["the groups of a member of a large group", groupsOf(() => ann, { memberOnly: true })],
  ["the groups of a member of a small group", groupsOf(() => bob, { memberOnly: true })],
  [
    "the merge requests of an author who sees a large group",
    mergeRequestsOf(
      () => ann,
      () => ({ authorId: userOf(eve).id }),
    ),
  ],
  [
    "the merge requests of an author who sees a small group",
    mergeRequestsOf(
      () => bob,
      () => ({ authorId: userOf(eve).id }),
    ),
  ],
  [
    "all merge requests of an author",
    mergeRequestsOf(
      () => root,
      () => ({ authorId: userOf(eve).id }),
    ),
  ],
  [
    "the merged merge requests of an author",
    mergeRequestsOf(
      () => ann,
      () => ({ authorId: userOf(eve).id, state: "merged" }),
    ),
  ],
  ["the merge requests of a top-level group", mergeRequestsOf(() => ann, inTopGroup)],
  [
    "the open merge requests of a top-level group",
    mergeRequestsOf(
      () => ann,
      () => ({ ...inTopGroup(), state: "opened" }),
    ),
  ],
  [
    "the merge requests of a project",
    mergeRequestsOf(
      () => ann,
      () => ({ projectId: projectIds[0] ?? 0 }),
    ),
  ],
])("pages by number contain the same rows as keyset pages, and their total: %s", async (_what, list) => {
  const expected = await byKeyset(list());
  const { ids, total } = await byNumber(list());
  expect(expected.length).toBeGreaterThan(0);
  expect(ids.toSorted((a, b) => a - b)).toEqual(expected);
  expect(total).toBe(expected.length);
});

it("a list by page numbers is ordered by its column and by the ids of rows with equal values", async () => {
  const search = { order: "created_at", descending: true } as const;
  const read = (paging: Paging) => listProjects(deps, userOf(ann), search, paging);
  const { rows } = await read({ kind: "offset", page: 1, perPage: 100 });
  expect(rows.length).toBeGreaterThan(10);
  const sorted = rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id);
  expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
});

it("a list is counted exactly up to 10,000 rows, and not beyond, whichever condition selects the rows", async () => {
  const { db } = deps;
  const { user: member } = await signedInUser(deps, "member");
  const wide = { name: "w", path: "w", fullPath: "wide", fullPathLower: "wide", description: "" };
  const { id } = await db.group.create({ data: { ...wide, visibility: "private", createdAt: at(0) } });
  const insertChildren = (from: number, to: number) => db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
    INSERT INTO "Group" ("name", "path", "fullPath", "fullPathLower", "description", "visibility", "parentId", "createdAt")
    SELECT 'c', 'c', 'child-' || i, 'child-' || i, '', 'private', w."id", w."createdAt"
    FROM n JOIN "Group" w ON w."id" = ${id}`;
  await insertChildren(1, COUNTED_MAX);
  await db.$executeRaw`INSERT INTO "GroupAncestor" ("groupId", "ancestorId")
    SELECT g."id", ${id} FROM "Group" g WHERE g."id" = ${id} OR g."parentId" = ${id}`;
  await db.groupMember.create({
    data: { userId: member.id, groupId: id, role: 30, createdAt: at(0), expiresAt: null },
  });
  const first = { kind: "offset", page: 1, perPage: 20 } as const;
  const totalOf = async (user: User, search: Parameters<typeof listGroups>[2]) =>
    (await listGroups(deps, user, search, first)).total;
  // The list of the groups of the member also contains the parent group.
  expect(await totalOf(member, { memberOnly: true })).toBeNull();
  expect(await totalOf(userOf(root), { parentId: id })).toBe(COUNTED_MAX);
  await insertChildren(COUNTED_MAX + 1, COUNTED_MAX + 1);
  expect(await totalOf(userOf(root), { parentId: id })).toBeNull();
  expect(await totalOf(member, { memberOnly: true })).toBeNull();
  await db.group.deleteMany({ where: { fullPath: { in: ["child-1", "child-2"] } } });
  expect(await totalOf(member, { memberOnly: true })).toBe(COUNTED_MAX);
});
