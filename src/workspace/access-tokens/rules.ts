import { isBot, type User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";
import type {
  PersonalToken,
  PersonalTokenDraft,
  PersonalTokenProblems,
} from "@/oauth/personal-access-tokens/rules";
import { LEAST_TO_MANAGE, type ProjectOrGroup } from "../members/rules";

/** An access token of a project or a group. The token belongs to a bot, which is a member with a role. */
export type AccessToken = PersonalToken &
  Readonly<{
    /** The role of the bot; null for a bot that is no longer a member. */
    role: Role | null;
    /** Whether the bot is a member, and the creator of the token still has the right to create it. */
    isRightValid: boolean;
  }>;

/** The values of a new access token before validation. */
export type AccessTokenDraft = PersonalTokenDraft & Readonly<{ role: Role }>;

export type AccessTokenProblems = PersonalTokenProblems & Readonly<{ role?: readonly string[] }>;

/**
 * A user who manages the access tokens of a project or a group. `held` is the role of the user in this
 * project or group.
 */
export type Manager = Readonly<{ resource: ProjectOrGroup; by: User; held: Role | null }>;

/** Returns whether a user may list and revoke the access tokens of a project or a group. */
export const mayManageTokens = ({ resource, held }: Manager): boolean =>
  reaches(held, LEAST_TO_MANAGE[resource.kind]);

/**
 * Returns whether a user may receive a token with this role, by creating or rotating a token. Bots may not
 * receive a token, because the new token would be valid for longer than the token of the bot.
 */
export const mayReceiveToken = (manager: Manager, role: Role): boolean =>
  mayManageTokens(manager) && !isBot(manager.by) && reaches(manager.held, role);

/**
 * Returns whether an access token is active: the token is not revoked and has not expired, and its creator
 * still has the right to create it.
 */
export const isActive = ({ revokedAt, expiresAt, isRightValid }: AccessToken, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now) && isRightValid;
