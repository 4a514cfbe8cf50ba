"use server";

import { redirect } from "next/navigation";
import { reauthenticatedFormAction } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { readResourceKind } from "../members/schema";
import { deployTokensPath, requireManager } from "./loaders";
import type { DeployTokenDraft, DeployTokenProblems } from "./rules";
import { readDeployTokenForm } from "./schema";
import * as service from "./service";

const managerOf = (form: FormData, rest: "" | "/new" = "") =>
  requireManager(readResourceKind(form), readReference(form, "place"), rest);

/**
 * The state of the deploy token form after it was submitted. The state contains either the entered values
 * with their error texts, or the new deploy token, whose value is shown once.
 */
export type DeployTokenState =
  | Readonly<{ kind: "editing"; draft: DeployTokenDraft; problems: DeployTokenProblems }>
  | Readonly<{ kind: "created"; name: string; username: string; value: string }>;

export const createDeployToken = reauthenticatedFormAction<DeployTokenState>(
  (form) => `${deployTokensPath(readResourceKind(form), readReference(form, "place"))}/new`,
  async (_session, form) => {
    const draft = readDeployTokenForm(form);
    const outcome = await service.createDeployToken(systemDeps(), await managerOf(form, "/new"), draft);
    if (outcome === "not_allowed")
      return {
        kind: "editing",
        draft,
        problems: {
          name: [
            "You cannot create deploy tokens here. Ask a Maintainer of the project or an Owner of the group.",
          ],
        },
      };
    if ("problems" in outcome) return { kind: "editing", draft, problems: outcome.problems };
    const { token, value } = outcome;
    return { kind: "created", name: token.name, username: token.username, value };
  },
);

export async function revokeDeployToken(form: FormData): Promise<void> {
  const deps = systemDeps();
  const manager = await managerOf(form);
  const id = readId(readReference(form, "id")) ?? 0;
  const token = await service.readDeployToken(deps, manager.resource, id);
  if (token !== null && (await service.revokeDeployToken(deps, manager, token)) === true)
    await setFlash("The deploy token is revoked.");
  redirect(manager.url);
}
