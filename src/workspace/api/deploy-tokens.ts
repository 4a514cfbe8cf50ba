import { z } from "zod";
import type { Principal } from "@/access/principal";
import { forbidden, notFound, unacceptable } from "@/http-api/errors";
import { flag, id, instant, text, words } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import {
  ALL_DEPLOY_SCOPES,
  type DeployToken,
  type DeployTokenProblems,
} from "@/workspace/deploy-tokens/rules";
import * as tokens from "@/workspace/deploy-tokens/service";
import { type InResource, managerOf } from "./managed-resource";

export const deployTokenSearch = z.object({
  active: flag
    .optional()
    .describe("With true, returns only tokens that have not expired; with false, only expired tokens."),
});
type Search = z.infer<typeof deployTokenSearch>;

/** Returns a page of the deploy tokens of a project or a group, newest first. */
export const listDeployTokens = (
  deps: Deps,
  context: InResource,
  { active }: Search,
  paging: Paging,
): Promise<Page<DeployToken>> =>
  tokens.listDeployTokens(deps, managerOf(context).resource, active ?? null, paging);

/** Returns a page of all deploy tokens, newest first. */
export const listAllDeployTokens = (
  deps: Deps,
  _caller: Principal,
  { active }: Search,
  paging: Paging,
): Promise<Page<DeployToken>> => tokens.listDeployTokens(deps, null, active ?? null, paging);

export const deployTokenReference = z.object({ token_id: id });
type Reference = z.infer<typeof deployTokenReference>;

/** Returns a deploy token. @throws ApiError 404 when the project or group has no such token. */
export async function readDeployToken(
  deps: Deps,
  context: InResource,
  { token_id }: Reference,
): Promise<DeployToken> {
  const token = await tokens.readDeployToken(deps, managerOf(context).resource, token_id);
  if (token === null) throw notFound("Deploy Token");
  return token;
}

export const newDeployTokenInput = z.object({
  name: text(255),
  username: text(255)
    .optional()
    .describe("The username that clients send with the token. The default is gitlab+deploy-token-{id}."),
  scopes: words
    .pipe(z.array(z.enum(ALL_DEPLOY_SCOPES)).min(1))
    .meta({ type: "array", items: { type: "string", enum: [...ALL_DEPLOY_SCOPES] } }),
  expires_at: instant.nullish().describe("Without a date, the token does not expire."),
});

/** Creates a deploy token. @throws ApiError 400 for invalid values, 403 for a bot. */
export async function createDeployToken(
  deps: Deps,
  context: InResource,
  { name, username = "", scopes, expires_at = null }: z.infer<typeof newDeployTokenInput>,
): Promise<tokens.CreatedDeployToken> {
  const draft = { name, username, scopes, expiresAt: expires_at };
  const outcome = await tokens.createDeployToken(deps, managerOf(context), draft);
  if (outcome === "not_allowed") throw forbidden();
  if ("problems" in outcome) throw unacceptable(problemsOf(outcome.problems));
  return outcome;
}

/** Returns the error texts of the form, with the names of the API parameters as keys. */
const problemsOf = ({ expiresAt, ...problems }: DeployTokenProblems) => ({
  ...problems,
  ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
});

/** Deletes a deploy token. @throws ApiError 403 for a bot, 404 when the project or group has no such token. */
export async function revokeDeployToken(
  deps: Deps,
  context: InResource,
  reference: Reference,
): Promise<null> {
  const token = await readDeployToken(deps, context, reference);
  const outcome = await tokens.revokeDeployToken(deps, managerOf(context), token);
  if (outcome === "not_allowed") throw forbidden();
  if (!outcome) throw notFound("Deploy Token");
  return null;
}
