import { type DeployReach, type User, userStateOf } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { digest, newToken, TOKEN_PREFIXES } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { lockManager } from "../access-tokens/manager-lock";
import type { Manager } from "../access-tokens/rules";
import { ancestorsOf } from "../hierarchy/descendants";
import type { ProjectOrGroup } from "../members/rules";
import type { Project } from "../projects/rules";
import {
  type DeployToken,
  type DeployTokenDraft,
  type DeployTokenProblems,
  mayManageDeployTokens,
  validateDeployToken,
} from "./rules";
import * as store from "./store";
import { findByDigest } from "./store.sql";

/** Returns whether a token has the prefix of deploy tokens. */
export const isDeployToken = (token: string): boolean => token.startsWith(TOKEN_PREFIXES.deploy);

/** A valid deploy token, and its creator. Requests with the token have the rights of its creator. */
export type DeployCredential = Readonly<{ token: DeployToken; user: User }>;

/**
 * Returns a valid deploy token. The function runs one statement.
 * @param username the username of the request; null for a request that sends the token without a username.
 * @returns null if the token is unknown or has expired, if the username is not the username of the token, or
 * if the creator of the token has lost the right to create it.
 */
export async function findDeployToken(
  deps: Pick<Deps, "prepared" | "clock">,
  value: string,
  username: string | null,
): Promise<DeployCredential | null> {
  const now = deps.clock();
  const row = await findByDigest(deps.prepared, digest(value), now);
  if (row === null) return null;
  const { user, ...columns } = row;
  const token = store.tokenFrom(columns);
  if (token.rightEnded || (token.expiresAt !== null && token.expiresAt <= now)) return null;
  if (username !== null && username !== token.username) return null;
  return { token, user: { ...user, state: userStateOf(user.state) } };
}

/**
 * Returns whether a deploy token gives access to a project. A token of a project gives access to this
 * project. A token of a group gives access to all projects of the group and its descendants.
 */
export async function reachesProject(
  deps: Pick<Deps, "reads">,
  { projectId, groupId }: DeployReach,
  project: Project,
): Promise<boolean> {
  if (projectId !== null) return projectId === project.id;
  if (groupId === null || project.namespace.kind !== "group") return false;
  const parentId = project.namespace.group.id;
  return parentId === groupId || (await ancestorsOf(deps.reads, parentId)).includes(groupId);
}

/** Returns a page of the deploy tokens of a project or a group, or of all tokens, newest first. */
export const listDeployTokens = (
  deps: Deps,
  resource: ProjectOrGroup | null,
  active: boolean | null,
  paging: Paging,
): Promise<Page<DeployToken>> => store.list(deps, { resource, active, now: deps.clock() }, paging);

/** Returns a deploy token of this project or group; null for an unknown id. */
export async function readDeployToken(
  deps: Deps,
  { kind, id: resourceId }: ProjectOrGroup,
  id: number,
): Promise<DeployToken | null> {
  const token = await store.findById(deps.reads, id, deps.clock());
  if (token === null) return null;
  const { projectId, groupId } = token.reach;
  const isHere = kind === "project" ? projectId === resourceId : projectId === null && groupId === resourceId;
  return isHere ? token : null;
}

/** A new deploy token. `value` is the token in plain text, which is shown once and not stored. */
export type CreatedDeployToken = Readonly<{ token: DeployToken; value: string }>;

/** Creates a deploy token. The token is valid while its creator has the right to create it. */
export async function createDeployToken(
  deps: Deps,
  manager: Manager,
  draft: DeployTokenDraft,
): Promise<CreatedDeployToken | Readonly<{ problems: DeployTokenProblems }> | "not_allowed"> {
  if (!mayManageDeployTokens(manager)) return "not_allowed";
  const validation = validateDeployToken(draft, deps.clock());
  if ("problems" in validation) return validation;
  const { input } = validation;
  const value = newToken(deps.randomBytes, "deploy");
  const token = await deps.transaction(async (within) => {
    const current = await lockManager(within, manager);
    if (current === null || !mayManageDeployTokens(current)) return null;
    const id = await store.insert(within.db, current.resource, {
      ...input,
      creatorId: current.by.id,
      digest: digest(value),
      scopes: input.scopes.join(" "),
      createdAt: within.clock(),
    });
    await record(within, "deploy_token.created", current, { id, scopes: input.scopes });
    return store.findById(within.reads, id, within.clock());
  });
  return token === null ? "not_allowed" : { token, value };
}

/** Deletes a deploy token, which stops working immediately. @returns whether the token existed. */
export async function revokeDeployToken(
  deps: Deps,
  manager: Manager,
  { id, scopes }: DeployToken,
): Promise<boolean | "not_allowed"> {
  if (!mayManageDeployTokens(manager)) return "not_allowed";
  return deps.transaction(async (within) => {
    if (!(await store.remove(within.db, id))) return false;
    await record(within, "deploy_token.revoked", manager, { id, scopes });
    return true;
  });
}

const record = (
  deps: Deps,
  name: "deploy_token.created" | "deploy_token.revoked",
  { resource, by }: Manager,
  { id: tokenId, scopes }: Readonly<{ id: number; scopes: readonly string[] }>,
): Promise<void> =>
  audit.record(
    deps,
    name,
    { kind: resource.kind, id: resource.id, path: resource.fullPath, tokenId, scopes },
    { userId: by.id },
  );
