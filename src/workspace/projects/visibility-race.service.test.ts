import { beforeEach, describe, expect, it } from "vitest";
import type { Visibility } from "@/access/visibility.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { beforeFirstTransaction, duringTransaction } from "@/testing/transactions.ts";
import type { AuthorizedGroup } from "../groups/rules.ts";
import { createGroup, updateGroup } from "../groups/service.ts";
import type { AuthorizedProject } from "./rules.ts";
import { createProject, updateProject } from "./service.ts";
import { transferProject } from "./transfer.ts";

const deps = await openTestDeps();
const ann = (await apiUser(deps, "ann")).user;

let group: AuthorizedGroup;
let subgroup: AuthorizedGroup;
let project: AuthorizedProject;
let moving: AuthorizedProject;

beforeEach(async () => {
  const id = crypto.randomUUID();
  group = await groupOf(deps, ann, `team-${id}`, { visibility: "public" });
  subgroup = await groupOf(deps, ann, "inner", { parent: group, visibility: "private" });
  project = await projectOf(deps, ann, "shop", { group, visibility: "private" });
  moving = await projectOf(deps, ann, `moving-${id}`, { visibility: "public" });
});

const setGroup = (visibility: Visibility) => (by: Deps) => updateGroup(by, group, { visibility }, ann);

/** The requests that give the group a public project or subgroup, with the result for a private group. */
const PUBLICATIONS: readonly (readonly [string, (by: Deps) => Promise<unknown>, object])[] = [
  [
    "the creation of a public project",
    (by) => createProject(by, ann, { path: "new", visibility: "public" }, group),
    { problems: { visibility_level: [expect.any(String)] } },
  ],
  [
    "the creation of a public subgroup",
    (by) => createGroup(by, ann, { name: "new", path: "new", visibility: "public" }, group),
    { problems: { visibility_level: [expect.any(String)] } },
  ],
  [
    "a change that makes a project public",
    (by) => updateProject(by, project, { visibility: "public" }, ann),
    { problems: { visibility_level: [expect.any(String)] } },
  ],
  [
    "a change that makes a subgroup public",
    (by) => updateGroup(by, subgroup, { visibility: "public" }, ann),
    { problems: { visibility_level: [expect.any(String)] } },
  ],
  [
    "the transfer of a public project to the group",
    (by) => transferProject(by, moving, { kind: "group", group }, ann),
    { visibility: "private" },
  ],
];

async function expectConsistent(): Promise<void> {
  const { visibility } = await deps.db.group.findUniqueOrThrow({ where: { id: group.id } });
  const projects = await deps.db.project.findMany({ where: { groupId: group.id } });
  const subgroups = await deps.db.group.findMany({ where: { parentId: group.id } });
  const visibilities = [...projects, ...subgroups].map((row) => row.visibility);
  if (visibility === "private") expect(new Set(visibilities)).toEqual(new Set(["private"]));
  else expect(visibilities).toContain("public");
}

describe("a group has no content with a wider visibility", () => {
  it.each(PUBLICATIONS)(
    "%s is refused or adapted if another request has made the group private",
    async (_, publish, refused) => {
      expect(await publish(beforeFirstTransaction(deps, () => setGroup("private")(deps)))).toMatchObject(
        refused,
      );
      await expectConsistent();
    },
  );

  it.each(PUBLICATIONS)(
    "%s waits for a simultaneous request that makes the group private",
    async (_, publish, refused) => {
      expect(await duringTransaction(deps, setGroup("private"), () => publish(deps))).toMatchObject(refused);
      await expectConsistent();
    },
  );

  it.each(PUBLICATIONS)("%s prevents a change that makes the group private", async (_, publish) => {
    const later = beforeFirstTransaction(deps, () => publish(deps));
    expect(await setGroup("private")(later)).toHaveProperty("problems.visibility_level");
    await expectConsistent();
  });

  it.each(PUBLICATIONS)("a change that makes the group private waits for %s", async (_, publish) => {
    const outcome = await duringTransaction(deps, publish, () => setGroup("private")(deps));
    expect(outcome).toHaveProperty("problems.visibility_level");
    await expectConsistent();
  });

  it("a change of a project uses the visibility of the group to which a simultaneous request transfers the project", async () => {
    const other = await groupOf(deps, ann, `other-${crypto.randomUUID()}`, { visibility: "private" });
    const target = { kind: "group", group: other } as const;
    const change = (by: Deps) => updateProject(by, project, { visibility: "public" }, ann);
    const transfer = (by: Deps) => transferProject(by, project, target, ann);
    expect(await duringTransaction(deps, transfer, () => change(deps))).toHaveProperty(
      "problems.visibility_level",
    );
    expect(await deps.db.project.findUnique({ where: { id: project.id } })).toMatchObject({
      groupId: other.id,
      visibility: "private",
    });
  });
});
