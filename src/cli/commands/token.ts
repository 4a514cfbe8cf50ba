import { text } from "node:stream/consumers";
import type { Deps } from "@/kernel/deps/deps";
import {
  createPersonalToken,
  identifyPersonalToken,
  isPersonalToken,
  personalTokenById,
  revokePersonalToken,
} from "@/oauth/personal-access-tokens/service";
import { findToken, revokeGrantOf } from "@/oauth/tokens/service";
import { defineCommand, type Output, required, UsageError } from "./command";
import { requireUser } from "./user";

const tokenCreate = defineCommand({
  name: "token create",
  usage: '--user U --scopes "S …" --name N [--expires-at YYYY-MM-DD]',
  about: "Create a personal access token and print it once. The token expires after 365 days at most.",
  options: { user: "text", scopes: "text", name: "text", "expires-at": "text" },
  run: async ({ open }, options) => {
    const login = required(options.user, "user");
    const draft = {
      name: required(options.name, "name"),
      scopes: required(options.scopes, "scopes")
        .split(/[\s,]+/)
        .filter(Boolean),
      expiresAt: options["expires-at"] ?? null,
    };
    const { deps } = await open();
    const created = await createPersonalToken(deps, await requireUser(deps, login), draft);
    if ("problems" in created) throw new UsageError(Object.values(created.problems).flat().join("\n"));
    const { token, value } = created;
    const { id, name, scopes, expiresAt } = token;
    const expires_at = expiresAt?.toISOString().slice(0, 10) ?? null;
    return { text: value, json: { id, token: value, name, scopes, expires_at } };
  },
});

const tokenRevoke = defineCommand({
  name: "token revoke",
  usage: "[--id N]",
  about:
    "Revoke a personal access token by its id, or the token on standard input. An OAuth access or refresh token is revoked together with all tokens of the same grant.",
  options: { id: "text" },
  run: async ({ open }, { id }) => {
    if (id !== undefined && !/^[1-9]\d{0,8}$/.test(id)) throw new UsageError("--id must be a number.");
    const value = id === undefined ? await tokenOnStandardInput() : null;
    const { deps } = await open();
    return value === null ? revokeById(deps, Number(id)) : revokeByValue(deps, value);
  },
});

/**
 * Reads the token from standard input. The token is never an argument, because every user of the machine can
 * read the arguments of a program, and the shell stores the arguments in its history.
 */
async function tokenOnStandardInput(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError("Send the token on standard input, or use --id.");
  const value = (await text(process.stdin)).trim();
  if (value === "") throw new UsageError("Standard input contains no token.");
  return value;
}

async function revokeById(deps: Deps, id: number): Promise<Output> {
  const token = await personalTokenById(deps, id);
  if (token === null) throw new UsageError(`There is no personal access token with the id ${id}.`);
  return outcome(await revokePersonalToken(deps, token));
}

async function revokeByValue(deps: Deps, value: string): Promise<Output> {
  if (isPersonalToken(value)) {
    const token = await identifyPersonalToken(deps, value);
    if (token === null) throw unknown();
    return outcome(await revokePersonalToken(deps, token));
  }
  const stored = await findToken(deps, value);
  if (stored === null) throw unknown();
  await revokeGrantOf(deps, stored, "operator");
  return outcome(stored.state !== "revoked");
}

const unknown = (): UsageError =>
  new UsageError("This token does not exist on the instance. Check the token on standard input.");

const outcome = (wasAlive: boolean): Output => ({
  text: wasAlive ? "The token is revoked." : "The token was already revoked.",
  json: { revoked: true, was_revoked_before: !wasAlive },
});

export const commands = [tokenCreate, tokenRevoke];
