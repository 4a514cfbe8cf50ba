import type { User } from "@/access/principal.ts";
import { ALL_SCOPES, type Scope } from "@/access/scopes.ts";
import { VISIBILITIES, type Visibility } from "@/access/visibility.ts";
import { runGit } from "@/code/git/program.ts";
import { repositoryOf } from "@/code/repositories/service.ts";
import { createSite } from "@/fleet/geo/service.ts";
import { assignRunner, type CreatedRunner, createRunner } from "@/fleet/runners/service.ts";
import { changeSettings, readSettings } from "@/instance/settings/service.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { createImpersonationToken } from "@/oauth/personal-access-tokens/impersonation.ts";
import { PERSONAL_TOKEN_SCOPES } from "@/oauth/personal-access-tokens/rules.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { issue } from "@/oauth/tokens/service.ts";
import { enqueueDeprecatedUse, writeDeprecatedUses } from "@/operations/deprecated-uses/service.ts";
import type { AuthorizedProject } from "@/workspace/projects/rules.ts";
import {
  ACTORS,
  type Actor,
  hookOf,
  type Resources,
  resourcesOf,
  type StoredHook,
} from "./access-resources.ts";
import { type ApiUser, apiUser } from "./api.ts";
import { registeredClient } from "./authorization.ts";
import { memberOf, projectOf } from "./projects.ts";
import type { FakeRegistry } from "./registry.ts";

/** A token of an actor with one scope. */
export type ActorToken = Readonly<{ actor: Actor; kind: "oauth" | "personal"; scope: Scope; value: string }>;

export type AccessWorld = Readonly<{
  tokens: readonly ActorToken[];
  /** A webhook of the instance. */
  hook: StoredHook;
  resources: Readonly<Record<Visibility, Resources>>;
  /** IDs of the requested resources, by the first segment of the path. */
  targets: Readonly<
    Record<
      | "users"
      | "applications"
      | "personal_access_tokens"
      | "runners"
      | "registry"
      | "namespaces"
      | "geo_sites"
      | "geo_nodes",
      number
    >
  >;
  /**
   * `pooled` is a runner of a separate project with maintainers. `shared` is a second runner of the separate
   * project, and all test projects share this runner.
   */
  runners: Readonly<{ pooled: CreatedRunner; shared: CreatedRunner }>;
  userIds: Readonly<Record<Actor, number>>;
  /**
   * Two users who are named in requests: a member of every group and project, and a user without any
   * membership.
   */
  memberId: number;
  newcomerId: number;
  /** The id of an impersonation token of the requested user. */
  impersonationTokenId: number;
  /** A user whose registration waits for approval. */
  pendingId: number;
  /** Resets the target branch of the merge requests to the first commit of the branch. */
  unmerge: () => Promise<void>;
}>;

/** Creates the users, tokens and resources of the access table. */
export async function accessWorld(deps: Deps, registry: FakeRegistry): Promise<AccessWorld> {
  const users = {} as Record<Actor, ApiUser>;
  // The names of some actors are instance roles, which cannot be usernames.
  for (const actor of ACTORS)
    users[actor] = await apiUser(deps, actor === "administrator" ? "chief" : actor, {
      admin: actor === "administrator",
    });
  const member = await apiUser(deps, "member");
  const newcomer = await apiUser(deps, "newcomer");
  const target = await apiUser(deps, "target");
  await projectOf(deps, target.user, "shown", { visibility: "public" });
  const pending = await apiUser(deps, "pending");
  await changeSettings(deps, { owners_can_invite: "true" });
  await deps.db.user.update({
    where: { id: pending.user.id },
    data: { state: "blocked_pending_approval" },
  });
  await deps.db.user.updateMany({ data: { pendingEmail: "next@example.com", pendingEmailAt: deps.clock() } });
  const client = await registeredClient(deps, users.administrator.user, { scopes: [...ALL_SCOPES] });
  const resources = {} as Record<Visibility, Resources>;
  for (const visibility of VISIBILITIES)
    resources[visibility] = await resourcesOf(deps, registry, users, member, visibility);
  const siteId = await siteOf(deps, users.administrator.user);
  const own = {} as Record<Actor, CreatedRunner>;
  for (const actor of ACTORS) own[actor] = await ownRunner(deps, users[actor], actor);
  const tokens = [];
  for (const actor of ACTORS) {
    const { user } = users[actor];
    enqueueDeprecatedUse(
      deps,
      { user, scopes: [], token: { kind: "personal", id: 0, applicationId: null } },
      ["geo_nodes"],
    );
    tokens.push(...(await tokensOf(deps, actor, users[actor], client.application.id)));
  }
  // Writes the buffered rows now, because a later batch could be part of a transaction that is rolled back.
  await writeDeprecatedUses(deps);
  return {
    tokens,
    resources,
    targets: {
      users: target.user.id,
      applications: client.application.id,
      runners: own.self.runner.id,
      registry: resources.public.imagesId,
      namespaces: resources.public.group.id,
      geo_sites: siteId,
      geo_nodes: siteId,
      personal_access_tokens: await personalToken(deps, users.self, "read_user").then(({ id }) => id),
    },
    runners: await poolOf(deps, users, Object.values(resources)),
    hook: await hookOf(deps, { kind: "instance" }, users.administrator.user),
    impersonationTokenId: await impersonationTokenOf(deps, target.user, users.administrator.user),
    userIds: Object.fromEntries(ACTORS.map((actor) => [actor, users[actor].user.id])) as Record<
      Actor,
      number
    >,
    memberId: member.user.id,
    newcomerId: newcomer.user.id,
    pendingId: pending.user.id,
    unmerge: async () => {
      for (const { project } of Object.values(resources)) {
        const call = { cwd: await repositoryOf(deps, project), path: deps.config.programPath };
        await runGit(["update-ref", "refs/heads/into", "refs/heads/main"], call);
      }
    },
  };
}

async function impersonationTokenOf(deps: Deps, user: User, by: User): Promise<number> {
  const draft = { name: "support", scopes: ["read_user"], expiresAt: null };
  const created = await createImpersonationToken(deps, user, draft, by);
  if (created === null || "problems" in created) throw new Error(JSON.stringify(created));
  return created.token.id;
}

/** Creates a secondary Geo site. @returns the ID of the site. */
async function siteOf(deps: Deps, by: User): Promise<number> {
  const created = await createSite(deps, by, { name: "second", url: "https://second.example.com" }, false);
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return created.site.id;
}

/** Creates a runner in a new project of the user. */
const ownRunner = async (deps: Deps, { user }: ApiUser, path: string): Promise<CreatedRunner> =>
  runnerOf(deps, user, await projectOf(deps, user, `own-${path}`));

async function runnerOf(deps: Deps, user: User, project: AuthorizedProject): Promise<CreatedRunner> {
  const created = await createRunner(deps, user, { kind: "project_type", project }, {});
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  return created;
}

async function poolOf(
  deps: Deps,
  { owner, maintainer }: Readonly<Record<Actor, ApiUser>>,
  resources: readonly Resources[],
): Promise<AccessWorld["runners"]> {
  const pool = await projectOf(deps, owner.user, "pool");
  await memberOf(deps, pool, maintainer.user, "maintainer");
  const [pooled, shared] = [await runnerOf(deps, owner.user, pool), await runnerOf(deps, owner.user, pool)];
  for (const { project } of resources) {
    const assigned = await assignRunner(deps, owner.user, project, shared.runner.id);
    if (typeof assigned === "string") throw new Error(assigned);
  }
  return { pooled, shared };
}

/** Returns the path parameters of the endpoints of a webhook. @param first the first segment of the path. */
export function hookPathOf({ hook }: AccessWorld, { hooks }: Resources, first: string) {
  const { hookId, eventId } = first === "groups" ? hooks.group : first === "projects" ? hooks.project : hook;
  return { hook_id: hookId, event_id: eventId, trigger: "merge_requests_events" };
}

async function tokensOf(
  deps: Deps,
  actor: Actor,
  user: ApiUser,
  applicationId: number,
): Promise<readonly ActorToken[]> {
  const tokens: ActorToken[] = [];
  const settings = await readSettings(deps);
  const grant = { type: "authorization_code", applicationId, userId: user.user.id } as const;
  for (const scope of ALL_SCOPES) {
    const { accessToken } = await issue(deps, settings, { ...grant, scopes: [scope] });
    tokens.push({ actor, kind: "oauth", scope, value: accessToken });
  }
  for (const scope of PERSONAL_TOKEN_SCOPES) {
    const { value } = await personalToken(deps, user, scope);
    tokens.push({ actor, kind: "personal", scope, value });
  }
  return tokens;
}

async function personalToken(deps: Deps, user: ApiUser, scope: Scope) {
  const created = await createPersonalToken(deps, user.user, {
    name: scope,
    scopes: [scope],
    expiresAt: null,
  });
  if ("problems" in created) throw new Error(JSON.stringify(created.problems));
  return { id: created.token.id, value: created.value };
}
