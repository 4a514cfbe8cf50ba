import type { User } from "@/access/principal.ts";
import { isRole } from "@/access/roles.ts";
import type { Visibility } from "@/access/visibility.ts";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { addComment } from "@/error-tracking/comments/service.ts";
import { changeSettings as changeErrorTracking, createClientKey } from "@/error-tracking/settings/service.ts";
import { ingest } from "@/error-tracking/tracked-errors/service.ts";
import { createRunner } from "@/fleet/runners/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { publishFile } from "@/registries/packages/service.ts";
import { createRule } from "@/review/approvals/rule-editing.ts";
import { recordApproval } from "@/review/approvals/service.ts";
import { addManagedLicense, createPolicy } from "@/review/licenses/service.ts";
import { merge } from "@/review/merge-requests/merge.ts";
import { createMergeRequest } from "@/review/merge-requests/service.ts";
import type { HookPlace } from "@/webhooks/hooks/rules.ts";
import { createHook } from "@/webhooks/hooks/service.ts";
import { createAccessToken } from "@/workspace/access-tokens/service.ts";
import { createDeployToken } from "@/workspace/deploy-tokens/service.ts";
import type { AuthorizedGroup } from "@/workspace/groups/rules.ts";
import { resourceOf as groupResource } from "@/workspace/groups/service.ts";
import { invitationKey } from "@/workspace/invitations/rules.ts";
import type { ProjectOrGroup } from "@/workspace/members/rules.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import { resourceOf as projectResource } from "@/workspace/projects/service.ts";
import type { ApiUser } from "./api.ts";
import { groupOf, memberOf, projectOf } from "./projects.ts";
import type { FakeRegistry } from "./registry.ts";
import { commitAll, gitIsHere } from "./repository.ts";

/** The users that call the API. The user `self` owns the resource, and the user `stranger` has no role. */
export const ACTORS = [
  "stranger",
  "self",
  "guest",
  "reporter",
  "developer",
  "maintainer",
  "owner",
  "administrator",
] as const;

export type Actor = (typeof ACTORS)[number];

/** A project and a group of one visibility, with the IDs of the resources in the project and the group. */
export type Resources = Readonly<{
  project: AuthorizedProject;
  group: AuthorizedGroup;
  /** A project without images, which can be transferred. */
  movable: AuthorizedProject;
  keyId: number;
  errorId: number;
  noteId: number;
  packageId: number;
  fileId: number;
  imagesId: number;
  ruleId: number;
  versionId: number;
  policyId: number;
  /** The ids of a deploy token of the project and of a deploy token of the group. */
  deployTokenIds: Readonly<Record<"project" | "group", number>>;
  /** An access token of the project and an access token of the group. */
  accessTokens: Readonly<Record<"project" | "group", Readonly<{ id: number; value: string }>>>;
  /** The webhooks of the project and of the group. */
  hooks: Readonly<Record<"project" | "group", StoredHook>>;
}>;

/** A webhook and a message that the webhook has sent. */
export type StoredHook = Readonly<{ hookId: number; eventId: number }>;

/**
 * The number of branches and of image tags (`doomed-0`, `doomed-1` …) that the tests remove in each project.
 * The requests with different tokens remove different branches or tags.
 */
const DOOMED = 240;

export async function resourcesOf(
  deps: Deps,
  registry: FakeRegistry,
  users: Readonly<Record<Actor, ApiUser>>,
  member: ApiUser,
  visibility: Visibility,
): Promise<Resources> {
  const owner = users.owner.user;
  const project = await projectOf(deps, owner, `project-${visibility}`, { visibility });
  const group = await groupOf(deps, owner, `group-${visibility}`, { visibility });
  const movable = await projectOf(deps, owner, `movable-${visibility}`, { visibility });
  for (const container of [project, group, movable]) {
    for (const actor of ACTORS)
      if (isRole(actor) && actor !== "owner") await memberOf(deps, container, users[actor].user, actor);
    await memberOf(deps, container, member.user, "reporter");
  }
  // The following calls create rows, so that each list of the group has an entry.
  const tool = await projectOf(deps, owner, "tool", { visibility, group });
  await imagesIn(deps, registry, tool);
  // The guest is not allowed to read the source code of the requested project, but is allowed to read the
  // source code of the project `tool`.
  await memberOf(deps, tool, users.guest.user, "reporter");
  await groupOf(deps, owner, "inner", { visibility, parent: group });
  await changeErrorTracking(deps, project, { active: true, integrated: true }, owner);
  const runner = await createRunner(deps, owner, { kind: "group_type", group }, {});
  if (typeof runner === "string" || "problems" in runner) throw new Error(JSON.stringify(runner));
  const key = await createClientKey(deps, project, owner);
  if (key === null) throw new Error("The client key could not be created.");
  const policyId = await licensesIn(deps, project, owner);
  await licensesIn(deps, tool, owner);
  let versionId = 0;
  if (gitIsHere) {
    await fillRepository(deps, project);
    versionId = await openMergeRequests(deps, project, users, member);
    await fillRepository(deps, tool);
    await openMergeRequests(deps, tool, users, member);
  }
  const inProject = {
    policyId,
    versionId,
    ...(await errorIn(deps, project, owner)),
    imagesId: await imagesIn(deps, registry, project),
    ruleId: await ruleIn(deps, project, owner),
    deployTokenIds: {
      project: await deployTokenIn(deps, projectResource(project), owner),
      group: await deployTokenIn(deps, groupResource(group), owner),
    },
    accessTokens: {
      project: await accessTokenIn(deps, projectResource(project), owner),
      group: await accessTokenIn(deps, groupResource(group), owner),
    },
    ...(await packageIn(deps, project, owner)),
  };
  const hooks = {
    project: await hookOf(deps, { kind: "project", id: project.id }, owner),
    group: await hookOf(deps, { kind: "group", id: group.id }, owner),
  };
  await invitationTo(deps, projectResource(project), owner);
  await invitationTo(deps, groupResource(group), owner);
  return { project, group, movable, keyId: key.id, hooks, ...inProject };
}

/** Creates a webhook with a message that was sent. */
export async function hookOf(deps: Deps, place: HookPlace, owner: User): Promise<StoredHook> {
  const draft = { url: "https://ci.example.com/hook", name: "", description: "", token: null };
  const created = await createHook(deps, place, { ...draft, triggers: [], branchFilter: "" }, owner);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  const webhookId = created.webhook.id;
  const now = deps.clock();
  const { id: eventId } = await deps.db.webhookDelivery.create({
    data: {
      ...{ webhookId, uid: "m", eventUid: "e", trigger: "push_events", source: "{}", body: "{}" },
      ...{ state: "delivered", attempts: 1, createdAt: now, nextAttemptAt: now, expiresAt: now },
    },
  });
  return { hookId: webhookId, eventId };
}

/** The e-mail address that is invited to each project and each group. */
export const INVITED_EMAIL = "invited@example.com";

async function invitationTo(deps: Deps, resource: ProjectOrGroup, by: User): Promise<void> {
  const [createdAt, expiresAt] = [deps.clock(), new Date(deps.clock().getTime() + 86_400_000)];
  await deps.db.invitation.create({
    data: {
      ...{ key: invitationKey(resource, INVITED_EMAIL), email: INVITED_EMAIL, role: 30, invitedById: by.id },
      ...{ [`${resource.kind}Id`]: resource.id, createdAt, sentAt: createdAt, expiresAt },
    },
  });
}

async function deployTokenIn(deps: Deps, resource: ProjectOrGroup, by: User): Promise<number> {
  const draft = { name: "Deploy", username: "", scopes: ["read_repository"], expiresAt: null };
  const created = await createDeployToken(deps, { resource, by, held: "owner" }, draft);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  return created.token.id;
}

async function accessTokenIn(deps: Deps, resource: ProjectOrGroup, by: User) {
  const draft = { name: "CI", scopes: ["api"], role: "reporter", expiresAt: null } as const;
  const created = await createAccessToken(deps, { resource, by, held: "owner" }, draft);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  return { id: created.token.id, value: created.value };
}

async function ruleIn(deps: Deps, project: AuthorizedProject, owner: User): Promise<number> {
  const draft = { name: "Owner", ruleType: "regular", approvalsRequired: 0, userIds: [owner.id] } as const;
  const created = await createRule(deps, project, draft, owner);
  if (typeof created === "string") throw new Error(created);
  return created.rule.id;
}

/** Pushes an image with `DOOMED` tags and the tag `main`. @returns the ID of the container repository. */
async function imagesIn(deps: Deps, registry: FakeRegistry, { id, fullPath }: AuthorizedProject) {
  const tags = Array.from({ length: DOOMED }, (_, at) => `doomed-${at}`);
  for (const tag of ["main", ...tags]) registry.push(fullPath, tag);
  const row = { path: fullPath, projectId: id, createdAt: deps.clock() };
  return (await deps.db.containerRepository.create({ data: row })).id;
}

/**
 * Adds an allowed license and a policy that denies the license without approval.
 * @returns the ID of the policy.
 */
async function licensesIn(deps: Deps, project: AuthorizedProject, owner: User): Promise<number> {
  const lists = { allowList: [], denyList: ["GPL-3.0"] };
  const terms = { name: "No GPL", description: "", enabled: true, approvalsRequired: 1, ...lists };
  const created = await createPolicy(deps, project, terms, owner);
  const license = await addManagedLicense(deps, project, { name: "GPL-3.0", status: "allowed" }, owner);
  if (typeof license === "string" || "problems" in created)
    throw new Error("The licenses could not be created.");
  return created.policy.id;
}

/** A lock file with a license that the policy denies. */
const LOCK_FILE = JSON.stringify({ packages: { "node_modules/b": { license: "GPL-3.0" } } });

/** Creates the commits, `DOOMED` branches and a tag. */
async function fillRepository(deps: Deps, project: AuthorizedProject): Promise<void> {
  await commitAll(deps, project, [{ branch: "main", message: "Begin", files: { "a.txt": "a\n" } }]);
  await commitAll(deps, project, [{ branch: "main", message: "Go on", files: { "a.txt": "b\n" } }]);
  await commitAll(deps, project, [
    { branch: "topic", message: "Add b", files: { "package-lock.json": LOCK_FILE } },
    { branch: "waiting", message: "Add c", files: { "c.txt": "c\n" } },
    { branch: "v2", message: "Add d", files: { "d.txt": "d\n" } },
  ]);
  const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
  const names = Array.from({ length: DOOMED }, (_, at) => `refs/heads/doomed-${at}`);
  const lines = [...names, "refs/heads/into", "refs/tags/v1"].map(
    (name) => `create ${name} refs/heads/main\n`,
  );
  await runGit(["update-ref", "--stdin"], { ...call, input: lines.join("") });
}

/**
 * The number of the requested merge request, and the number of a merge request that is set to merge
 * automatically.
 */
export const OPEN_IID = 1;

export const WAITING_IID = 2;

/** @returns the ID of the version of the requested merge request. */
async function openMergeRequests(
  deps: Deps,
  project: AuthorizedProject,
  users: Readonly<Record<Actor, ApiUser>>,
  author: ApiUser,
): Promise<number> {
  const text = { description: "", squash: false, removesSource: false, labels: [] };
  const noUsers = { assigneeIds: [], reviewerIds: [] };
  const context = { project, user: author.user };
  for (const [sourceBranch, title] of [
    ["topic", "Topic"],
    ["waiting", "Draft: Waiting"],
  ] as const) {
    const draft = { ...text, ...noUsers, sourceBranch, targetBranch: "into", title };
    const mergeRequest = await createMergeRequest(deps, context, draft);
    if (typeof mergeRequest === "string" || !("iid" in mergeRequest))
      throw new Error(JSON.stringify(mergeRequest));
    // Only a user who has approved can revoke the approval.
    for (const actor of ["developer", "maintainer", "owner", "administrator"] as const)
      await recordApproval(deps, mergeRequest, users[actor].user);
    if (mergeRequest.draft) await merge(deps, context, mergeRequest, { whenReady: true });
  }
  const where = { mergeRequest: { projectId: project.id, iid: OPEN_IID } };
  return (await deps.db.mergeRequestVersion.findFirstOrThrow({ where })).id;
}

/**
 * Reports a tracked error and comments on the error.
 * @returns the ids of the tracked error and of the comment.
 */
async function errorIn(deps: Deps, project: AuthorizedProject, author: User) {
  const body = { platform: "node", level: "error", message: "It broke" };
  await ingest(deps, project, { events: [{ eventId: "0".repeat(32), body }], dropped: [] });
  const { id: errorId } = await deps.db.trackedError.findFirstOrThrow({ where: { projectId: project.id } });
  const added = await addComment(deps, project, { errorId, body: "It happens at night.", author });
  if (typeof added === "string") throw new Error(added);
  return { errorId, noteId: added.comment.id };
}

/** Publishes a package with a file. */
async function packageIn(deps: Deps, project: AuthorizedProject, owner: User) {
  const coordinates = { packageName: "tool", version: "1.0", fileName: "tool.bin" };
  const created = await publishFile(deps, project, owner, coordinates, new Blob(["tool"]).stream());
  if (typeof created === "string") throw new Error(created);
  return { packageId: created.from.id, fileId: created.file.id };
}
