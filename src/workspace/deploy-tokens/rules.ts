import { type DeployReach, isBot } from "@/access/principal";
import { reaches } from "@/access/roles";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";
import type { Manager } from "../access-tokens/rules";
import { LEAST_TO_MANAGE } from "../members/rules";

/** The scopes of deploy tokens, each with the description that the form shows. */
export const DEPLOY_SCOPES = {
  read_repository: "Clone and fetch repositories.",
  read_package_registry: "List and download packages.",
  write_package_registry: "Publish packages.",
  read_registry: "Pull container images.",
  write_registry: "Push container images. Docker also requires read_registry.",
} as const satisfies Record<string, string>;

export type DeployScope = keyof typeof DEPLOY_SCOPES;

/** All scopes of deploy tokens, in the order of the form. */
export const ALL_DEPLOY_SCOPES = Object.keys(DEPLOY_SCOPES) as readonly DeployScope[];

const isDeployScope = (word: string): word is DeployScope => Object.hasOwn(DEPLOY_SCOPES, word);

/** A deploy token of a project or a group. */
export type DeployToken = Readonly<{
  id: number;
  name: string;
  /** The username that clients send with the token. */
  username: string;
  scopes: readonly string[];
  createdAt: Date;
  /** Null for a token that never expires. */
  expiresAt: Date | null;
  reach: DeployReach;
  /** Whether the user who created the token has lost the right to create it. */
  rightEnded: boolean;
}>;

/** Returns the default username of a deploy token. */
export const defaultUsername = (id: number): string => `gitlab+deploy-token-${id}`;

/**
 * The values of a new deploy token before validation. If `username` is empty, the token gets the default
 * username.
 */
export type DeployTokenDraft = Readonly<{
  name: string;
  username: string;
  scopes: readonly string[];
  expiresAt: Date | null | "malformed";
}>;

export type DeployTokenProblems = Readonly<Partial<Record<keyof DeployTokenDraft, readonly string[]>>>;

/** The validated values of a new deploy token. `username` is null for the default username. */
export type DeployTokenInput = Readonly<{
  name: string;
  username: string | null;
  scopes: readonly DeployScope[];
  expiresAt: Date | null;
}>;

const NAME_CHARACTERS_MAX = 255;

/** Validates the values of a new deploy token. The result describes every invalid field. */
export function validateDeployToken(
  draft: DeployTokenDraft,
  now: Date,
): Readonly<{ input: DeployTokenInput }> | Readonly<{ problems: DeployTokenProblems }> {
  const name = draft.name.trim();
  const username = draft.username.trim() || null;
  const scopes = [...new Set(draft.scopes)].filter(isDeployScope);
  const problemsByField = {
    name: nameProblem(name),
    username: username === null ? null : usernameProblem(username),
    scopes: scopesProblem(draft.scopes),
    expiresAt: expiryProblem(draft.expiresAt, now),
  };
  const problems = Object.fromEntries(
    Object.entries(problemsByField).flatMap(([field, text]) => (text === null ? [] : [[field, [text]]])),
  );
  const { expiresAt } = draft;
  if (Object.keys(problems).length > 0 || expiresAt === "malformed") return { problems };
  return { input: { name, username, scopes, expiresAt } };
}

function nameProblem(name: string): string | null {
  if (name === "") return "Enter a name that describes the program that uses the token.";
  if (name.length > NAME_CHARACTERS_MAX) return `Use at most ${NAME_CHARACTERS_MAX} characters.`;
  return hasHiddenCharacters(name) ? "Remove invisible and control characters." : null;
}

const usernameProblem = (username: string): string | null =>
  /^[A-Za-z0-9.+_-]{1,255}$/.test(username)
    ? null
    : "Use only letters, digits, dots, plus signs, dashes and underscores.";

function scopesProblem(words: readonly string[]): string | null {
  if (words.length === 0) return "Select at least one scope.";
  const foreign = words.filter((word) => !isDeployScope(word));
  return foreign.length === 0
    ? null
    : `A deploy token cannot have the scope ${foreign.map((word) => word.slice(0, 64)).join(", ")}.`;
}

function expiryProblem(expiresAt: DeployTokenDraft["expiresAt"], now: Date): string | null {
  if (expiresAt === "malformed") return "Enter the expiration date as YYYY-MM-DD.";
  return expiresAt !== null && expiresAt <= now ? "Enter an expiration date in the future." : null;
}

/**
 * Returns whether a user may manage the deploy tokens of a project or a group. Bots may not manage deploy
 * tokens, because a deploy token would be valid for longer than the token of the bot.
 */
export const mayManageDeployTokens = ({ resource, by, held }: Manager): boolean =>
  !isBot(by) && reaches(held, LEAST_TO_MANAGE[resource.kind]);
