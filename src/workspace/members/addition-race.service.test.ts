import { expect, it } from "vitest";
import type { Deps } from "@/kernel/deps/deps.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { duringTransaction } from "@/testing/transactions.ts";
import { resourceOf as groupResource } from "../groups/service.ts";
import { resourceOf as projectResource } from "../projects/service.ts";
import type { ProjectOrGroup } from "./rules.ts";
import { addMember, findMember } from "./service.ts";

const deps = await openTestDeps();
const { user: ann } = await apiUser(deps, "ann");
const { user: bob } = await apiUser(deps, "bob");
const group = groupResource(await groupOf(deps, ann, "team"));
const project = projectResource(await projectOf(deps, ann, "shop"));

it.each<[string, ProjectOrGroup]>([
  ["group", group],
  ["project", project],
])(
  "a transaction that adds a member of a %s continues if a simultaneous request adds the member first",
  async (_, resource) => {
    const change = { resource, by: ann, held: "owner" } as const;
    const add = (by: Deps, role: "developer" | "reporter") =>
      addMember(by, change, bob, { role, expiresAt: null });
    const outcome = await duringTransaction(
      deps,
      (within) => add(within, "developer"),
      () => deps.transaction(async (within) => [await add(within, "reporter"), await within.db.user.count()]),
    );
    expect(outcome).toEqual(["is_member", 2]);
    expect(await findMember(deps, resource, bob.id)).toMatchObject({ role: "developer" });
  },
);
