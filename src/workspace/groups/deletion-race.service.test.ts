import { beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { beforeFirst, duringTransaction, startDuringTransaction } from "@/testing/transactions.ts";
import { transferProject } from "../projects/transfer.ts";
import type { AuthorizedGroup } from "./rules.ts";
import { deleteGroup } from "./service.ts";

const opened = await openTestDeps();
/** The ids of the projects that the lifecycle hooks receive as deleted. */
let announcedIds: readonly number[] = [];
const recorder = {
  removed: async (_: Deps, ids: readonly number[]) => {
    announcedIds = ids;
  },
};
const hooks = { ...opened.hooks, projectLifecycle: [...opened.hooks.projectLifecycle, recorder] };
const deps = { ...opened, hooks };
const ann = (await apiUser(deps, "ann")).user;

let top: AuthorizedGroup;
let inner: AuthorizedGroup;

beforeEach(async () => {
  announcedIds = [];
  top = await groupOf(deps, ann, `top-${crypto.randomUUID()}`);
  inner = await groupOf(deps, ann, "inner", { parent: top });
});

/** The call that inserts the ancestors of a new group. */
const ANCESTORS = { table: "groupAncestor", method: "createMany" } as const;

const remove = () => deleteGroup(deps, top, ann);
const exists = async (id: number) => (await deps.db.project.count({ where: { id } })) > 0;

describe("the deletion of a group", () => {
  it("the deletion of a group does not remove the data of a project that a simultaneous request transfers to another group", async () => {
    const other = await groupOf(deps, ann, `other-${crypto.randomUUID()}`);
    const [moved, stays] = [
      await projectOf(deps, ann, "moved", { group: inner }),
      await projectOf(deps, ann, "stays", { group: inner }),
    ];
    const target = { kind: "group", group: other } as const;
    const outcome = await duringTransaction(
      deps,
      async (within) =>
        expect(await transferProject(within, moved, target, ann)).toHaveProperty("id", moved.id),
      remove,
    );
    expect(outcome).toBe("removed");
    expect(await exists(moved.id)).toBe(true);
    expect(announcedIds).toEqual([stays.id]);
  });

  it("the deletion of a group removes the data of a project that a simultaneous request creates in the group", async () => {
    let id = 0;
    const outcome = await duringTransaction(
      deps,
      async (within) => {
        id = (await projectOf(within, ann, "new", { group: inner })).id;
      },
      remove,
    );
    expect(outcome).toBe("removed");
    expect(await exists(id)).toBe(false);
    expect(announcedIds).toEqual([id]);
  });

  it("the deletion of a group removes the data of a project that a simultaneous request transfers to the group", async () => {
    const moved = await projectOf(deps, ann, `moved-${crypto.randomUUID()}`);
    const target = { kind: "group", group: inner } as const;
    await duringTransaction(deps, (within) => transferProject(within, moved, target, ann), remove);
    expect(await exists(moved.id)).toBe(false);
    expect(announcedIds).toEqual([moved.id]);
  });

  it("the deletion of a group includes a subgroup that a simultaneous request creates", async () => {
    let id = 0;
    const create = async (within: Deps) => {
      const subgroup = await groupOf(within, ann, "new", { parent: inner });
      id = (await projectOf(within, ann, "shop", { group: subgroup })).id;
    };
    expect(await duringTransaction(deps, create, remove)).toBe("removed");
    expect(await exists(id)).toBe(false);
    expect(announcedIds).toEqual([id]);
  });

  it("the deletion of a group waits for the creation of a subgroup of a descendant, without a deadlock", async () => {
    const removals: Promise<unknown>[] = [];
    const start = async () => void removals.push((await startDuringTransaction(deps, remove)).pending);
    const created = await deps.transaction((within) =>
      groupOf(beforeFirst(within, ANCESTORS, start), ann, "new", { parent: inner }),
    );
    expect(created.fullPath).toBe(`${inner.fullPath}/new`);
    expect(await Promise.all(removals)).toEqual(["removed"]);
    expect(await deps.db.group.count({ where: { id: { in: [top.id, inner.id, created.id] } } })).toBe(0);
  });
});
