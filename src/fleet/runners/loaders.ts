import { heldFormOf } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import type { Query } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { type RunnerPlace, requireRunnerManager } from "./page-owner";
import type { Runner } from "./rules";
import { EMPTY_RUNNER, readRunnerForm } from "./schema";
import { listRunners, type RunnerOwner, tagsOfAll } from "./service";
import type { RunnerVisibility } from "./store";

const RUNNERS_SHOWN = 20;

/** A runner in the list on a page. */
export type ShownRunner = Runner &
  Readonly<{
    tags: readonly string[];
    /**
     * Whether the page shows buttons with which the viewer can manage the runner. The value is false for a
     * runner that does not belong to the owner of the page but to an ancestor group or to the instance.
     */
    isManaged: boolean;
  }>;

/** Loads a page of the runners that are available to the instance, a group or a project. */
export async function loadRunners(place: RunnerPlace, query: Query) {
  const { owner, url } = await requireRunnerManager(place);
  const deps = systemDeps();
  const paging = offsetPagingIn(query, RUNNERS_SHOWN);
  const { rows, total } = await listRunners(deps, visibilityOf(owner), {}, paging);
  const tags = await tagsOfAll(deps, rows);
  return {
    place: { kind: place.kind, id: idOf(owner) },
    runners: rows.map((runner) => ({
      ...runner,
      tags: tags.get(runner.id) ?? [],
      isManaged: isManaged(runner, owner),
    })),
    url,
    pager: offsetLinks(paging, { rows, total }, url),
    now: deps.clock(),
  };
}

export type RunnersPage = Awaited<ReturnType<typeof loadRunners>>;

function idOf(owner: RunnerOwner): string {
  if (owner.kind === "instance_type") return "";
  return String(owner.kind === "group_type" ? owner.group.id : owner.project.id);
}

function visibilityOf(owner: RunnerOwner): RunnerVisibility {
  if (owner.kind === "instance_type") return { of: "all" };
  if (owner.kind === "group_type") return { of: "group", id: owner.group.id };
  const { namespace, id } = owner.project;
  return { of: "project", id, groupId: namespace.kind === "group" ? namespace.group.id : null };
}

function isManaged(runner: Runner, owner: RunnerOwner): boolean {
  if (owner.kind === "instance_type") return true;
  return owner.kind === "group_type" ? runner.groupId === owner.group.id : runner.kind === "project_type";
}

/**
 * Loads the form for a new runner. After a re-authentication, the form contains the values that were
 * submitted before the re-authentication.
 */
export async function loadNewRunner(place: RunnerPlace) {
  const { owner, url } = await requireRunnerManager(place, "/new");
  const held = await heldFormOf(`${url}/new`);
  return {
    place: { kind: place.kind, id: idOf(owner) },
    url,
    draft: held === null ? EMPTY_RUNNER : readRunnerForm(held),
  };
}
