import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import type { Deps } from "@/kernel/deps/deps";
import type { DeployToken } from "@/workspace/deploy-tokens/rules";
import type { CreatedDeployToken } from "@/workspace/deploy-tokens/service";

const fields = {
  id: z.int(),
  name: z.string(),
  username: z.string(),
  expires_at: moment.nullable(),
  scopes: z.array(z.string()),
  revoked: z
    .boolean()
    .describe("True when the user who created the token has lost the right to create deploy tokens."),
  expired: z.boolean(),
};

const presented = (token: DeployToken, { clock }: Pick<Deps, "clock">) => ({
  id: token.id,
  name: token.name,
  username: token.username,
  expires_at: token.expiresAt?.toISOString() ?? null,
  scopes: [...token.scopes],
  revoked: token.rightEnded,
  expired: token.expiresAt !== null && token.expiresAt <= clock(),
});

/** A deploy token without its value. */
export const deployToken = defineEntity("deploy_token", fields, presented);

/** A new deploy token with its value, which is shown once. */
export const newDeployToken = defineEntity(
  "new_deploy_token",
  { ...fields, token: z.string() },
  ({ token, value }: CreatedDeployToken, deps) => ({ ...presented(token, deps), token: value }),
);
