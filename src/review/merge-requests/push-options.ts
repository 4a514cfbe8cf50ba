import type { MovedBranch } from "@/code/pushes/push-listener";
import { commitsSince } from "@/code/repositories/commit";
import { defaultBranch, isBranchName } from "@/code/repositories/reference";
import type { Deps } from "@/kernel/deps/deps";
import type { MergeRequest } from "./rules";
import { TITLE_CHARACTERS_MAX } from "./schema";
import { type Actor, type ChangeRefusal, createMergeRequest, updateMergeRequest } from "./service";
import * as store from "./store";

/** The implemented push options (`git push -o`) for merge requests. */
type PushOptions = Readonly<{
  create: boolean;
  target: string | undefined;
  title: string | undefined;
  removesSource: boolean | undefined;
  /** The names of merge request push options that are unknown or not implemented. */
  ignored: readonly string[];
}>;

const PREFIX = "merge_request.";

/** The abbreviation of the prefix `merge_request.`, which GitLab also accepts. */
const SHORT_PREFIX = "mr.";

/**
 * The pattern of push options for pipelines. Push options for pipelines have no effect, because Gatehouse has no
 * pipelines.
 */
const PIPELINE_OPTION = /^ci\./;

function readPushOptions(options: readonly string[]): PushOptions {
  let result: PushOptions = {
    ...{ create: false, target: undefined, title: undefined, removesSource: undefined },
    ignored: [],
  };
  for (const option of options) {
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
    const key = name.startsWith(SHORT_PREFIX) ? PREFIX + name.slice(SHORT_PREFIX.length) : name;
    if (key === `${PREFIX}create`) result = { ...result, create: true };
    else if (key === `${PREFIX}target` && value) result = { ...result, target: value };
    else if (key === `${PREFIX}title` && value?.trim()) result = { ...result, title: value.trim() };
    else if (key === `${PREFIX}remove_source_branch`)
      result = { ...result, removesSource: value !== "false" };
    else if (!PIPELINE_OPTION.test(name)) result = { ...result, ignored: [...result.ignored, name] };
  }
  return result;
}

const changesMergeRequests = ({ create, target, title, removesSource }: PushOptions): boolean =>
  create || [target, title, removesSource].some(isGiven);

/** Returns whether the push options contain an option that creates or changes merge requests. */
export const concernMergeRequests = (options: readonly string[]): boolean =>
  changesMergeRequests(readPushOptions(options));

/** The maximum number of branches in a push with merge request push options, as in GitLab. */
const BRANCHES_MAX = 10;

/**
 * Creates and updates merge requests according to the push options.
 * @returns the messages that the Git client prints.
 */
export async function followPushOptions(
  deps: Deps,
  actor: Actor,
  branches: readonly MovedBranch[],
  options: readonly string[],
): Promise<readonly string[]> {
  const wanted = readPushOptions(options);
  const lines = wanted.ignored.map((name) => `The push option ${name} is not supported and was ignored.`);
  if (!changesMergeRequests(wanted) || branches.length === 0) return lines;
  if (branches.length > BRANCHES_MAX)
    return [...lines, `Push at most ${BRANCHES_MAX} branches at a time with merge request push options.`];
  for (const branch of branches) lines.push(...(await followFor(deps, actor, branch, wanted)));
  return lines;
}

const isGiven = (value: unknown): boolean => value !== undefined;

async function followFor(
  deps: Deps,
  actor: Actor,
  { name, head }: MovedBranch,
  { create, ...wanted }: PushOptions,
): Promise<readonly string[]> {
  if (wanted.title !== undefined && wanted.title.length > TITLE_CHARACTERS_MAX)
    return [`The title has more than ${TITLE_CHARACTERS_MAX} characters. No merge request was changed.`];
  if (!isBranchName(name))
    return ["The branch has a name that Gatehouse does not accept. Rename the branch and push again."];
  const open = await store.findOpenFrom(deps, { projectId: actor.project.id, sourceBranch: name });
  if (open === null && !create)
    return [
      `There is no open merge request for ${name}. Push with -o merge_request.create to create a merge request.`,
    ];
  const outcome =
    open === null
      ? await openFor(deps, actor, { name, head }, wanted)
      : await updateMergeRequest(deps, actor, open, {
          ...(wanted.target === undefined ? {} : { targetBranch: wanted.target }),
          ...(wanted.title === undefined ? {} : { title: wanted.title }),
          ...(wanted.removesSource === undefined ? {} : { removesSource: wanted.removesSource }),
        });
  if (typeof outcome === "string" || !("id" in outcome))
    return [
      `No merge request was ${open === null ? "created" : "changed"} for ${name}: ${reasonOf(outcome)}`,
    ];
  return [`View merge request for ${name}:`, `  ${urlOf(deps, outcome)}`];
}

async function openFor(
  deps: Deps,
  actor: Actor,
  { name, head }: MovedBranch,
  { target, title, removesSource = false }: Pick<PushOptions, "target" | "title" | "removesSource">,
): Promise<MergeRequest | ChangeRefusal> {
  const targetBranch = target ?? defaultBranch(deps, actor.project);
  if (targetBranch === null) return { missing: "target_branch" };
  return createMergeRequest(deps, actor, {
    ...{ sourceBranch: name, targetBranch, removesSource, squash: false, description: "" },
    title: title ?? (await titleFor(deps, actor, { name, head })),
    ...{ assigneeIds: [], reviewerIds: [], labels: [] },
  });
}

/** Returns the subject of the newest commit of a branch; the name of the branch if the subject is empty. */
async function titleFor(deps: Deps, { project }: Actor, { name, head }: MovedBranch): Promise<string> {
  const [commit] = await commitsSince(deps, project, { from: null, to: head, skip: 0, most: 1 });
  const subject = commit?.message.split("\n", 1)[0]?.trim() ?? "";
  return (subject === "" ? name : subject).slice(0, TITLE_CHARACTERS_MAX);
}

function reasonOf(refusal: ChangeRefusal): string {
  if (refusal === "not_allowed") return "You do not have permission to create or change merge requests.";
  if (refusal === "same_branch") return "The source branch and the target branch are the same.";
  if (refusal === "not_open") return "The merge request is being merged.";
  if (refusal === "gone") return "The merge request was deleted.";
  if ("missing" in refusal)
    return `The ${refusal.missing === "target_branch" ? "target" : "source"} branch does not exist.`;
  return `Merge request !${refusal.other} already exists for these branches.`;
}

const urlOf = ({ config }: Pick<Deps, "config">, { project, iid }: MergeRequest): string =>
  `${config.issuer}/projects/${project.id}/merge_requests/${iid}`;
