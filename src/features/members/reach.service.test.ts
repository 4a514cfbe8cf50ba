import { expect, it } from "vitest";
import { ROLES } from "@/access/roles.ts";
import { apiPerson } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf } from "@/testing/projects.ts";
import { listGroups } from "../groups/service.ts";
import { listProjects } from "../projects/service.ts";
import { listRunners } from "../runners/service.ts";
import { evenly, NAMED_MAX, reachOf } from "./reach.ts";

const deps = await openTestDeps();
const page = { kind: "offset", page: 1, perPage: 100 } as const;

it("reaches the same places, whether they are few enough to be named or not, and none that somebody is not in", async () => {
  const owner = (await apiPerson(deps, "owner")).user;
  const member = (await apiPerson(deps, "member")).user;
  const outsider = (await apiPerson(deps, "outsider")).user;
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
  await deps.db.runnerProject.create({ data: { runnerId, projectId: projects[0]?.id ?? 0 } });

  const seenBy = async (user: typeof owner) => {
    const among = { memberOnly: true, minLevel: ROLES.maintainer.level, search: "p", descending: false };
    const [found, runners, groups] = await Promise.all([
      listProjects(deps, user, among, page),
      listRunners(deps, { of: "person", id: user.id }, { paused: false }, page),
      listGroups(deps, user, { search: "t" }, page),
    ]);
    return [found.total, runners.total, groups.total];
  };
  const join = (from: number, to: number) =>
    deps.db.projectMember.createMany({
      data: projects.slice(from, to).map(({ id }) => ({
        ...{ projectId: id, userId: member.id, role: ROLES.maintainer.level, createdAt: now },
      })),
    });

  expect(await seenBy(owner)).toEqual([NAMED_MAX + 2, 1, 1]);
  expect(await seenBy(outsider)).toEqual([0, 0, 0]);
  expect(await seenBy(member)).toEqual([0, 0, 0]);
  await join(0, 3);
  expect(await seenBy(member)).toEqual([3, 1, 1]);
  await join(3, projects.length);
  expect(await reachOf(deps.db, member.id, 0, now)).toMatchObject({ projectIds: null, groupIds: [] });
  expect(await seenBy(member)).toEqual([NAMED_MAX + 2, 1, 1]);
});

it("names ids in lists of few lengths", () => {
  expect(evenly([])).toEqual([]);
  expect(evenly([7])).toEqual([7]);
  expect(evenly([7, 8])).toEqual([7, 8, 8, 8]);
  expect(evenly(Array.from({ length: 65 }, (_, at) => at))).toHaveLength(256);
});
