import { ALL_SCOPES, isScope, type Scope } from "@/access/scopes";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";

/** A personal access token, which a user creates for the API and Git. */
export type PersonalToken = Readonly<{
  id: number;
  userId: number;
  name: string;
  scopes: readonly string[];
  createdAt: Date;
  /**
   * The expiry of the token; null if the token never expires. Only earlier versions of the server created
   * tokens that never expire.
   */
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** The id of the first token of the rotation family; null for a token that was not created by rotation. */
  familyId: number | null;
  /** The administrator who created an impersonation token; null for other tokens. */
  impersonatorId: number | null;
  /**
   * Whether a bot token or an impersonation token is invalid, because its creator no longer has the required
   * right.
   */
  rightEnded?: boolean;
}>;

/** Returns the id of the rotation family of a token, which is the id of the first token of the family. */
export const familyOf = ({ id, familyId }: Pick<PersonalToken, "id" | "familyId">): number => familyId ?? id;

/** The scopes for sign-in to applications, which have no use in a personal access token. */
const SIGN_IN_SCOPES: readonly Scope[] = ["openid", "profile", "email"];

/** The scopes that a personal access token can have. */
export const PERSONAL_TOKEN_SCOPES: readonly Scope[] = ALL_SCOPES.filter(
  (scope) => !SIGN_IN_SCOPES.includes(scope),
);

const NAME_CHARACTERS_MAX = 255;

/** The values of the token form before validation. */
export type PersonalTokenDraft = Readonly<{
  name: string;
  scopes: readonly string[];
  /**
   * The expiration date as `YYYY-MM-DD`, or null for the latest allowed date. The token expires at the start
   * of this day, in UTC.
   */
  expiresAt: string | null;
}>;

export type PersonalTokenProblems = Readonly<
  Partial<Record<"name" | "scopes" | "expiresAt", readonly string[]>>
>;
export type PersonalTokenInput = Readonly<{
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date;
}>;
export type ValidatedDraft =
  | { readonly input: PersonalTokenInput }
  | { readonly problems: PersonalTokenProblems };

/** Validates a draft of a personal access token. The result describes every invalid field of the draft. */
export function validatePersonalToken(draft: PersonalTokenDraft, now: Date): ValidatedDraft {
  const name = draft.name.trim();
  const scopes = [...new Set(draft.scopes)].filter(isScope);
  const expiresAt = startOfDay(draft.expiresAt ?? dayAfter(now, DAYS_MAX));
  const problemsByField = {
    name: nameProblems(name),
    scopes: scopeProblems(draft.scopes),
    expiresAt: dateProblems(expiresAt, now),
  };
  const problems = Object.fromEntries(
    Object.entries(problemsByField).filter(([, texts]) => texts.length > 0),
  );
  // `expiresAt` is null only if the date is invalid. If the date is invalid, `problems` already describes the
  // error.
  return Object.keys(problems).length > 0 || expiresAt === null
    ? { problems }
    : { input: { name, scopes, expiresAt } };
}

function nameProblems(name: string): readonly string[] {
  if (name === "") return ["Enter a name that describes the program that uses the token."];
  if (name.length > NAME_CHARACTERS_MAX) return [`Use at most ${NAME_CHARACTERS_MAX} characters.`];
  return hasHiddenCharacters(name) ? ["Remove invisible and control characters."] : [];
}

function scopeProblems(words: readonly string[]): readonly string[] {
  if (words.length === 0) return ["Select at least one scope."];
  const unknown = words.filter((word) => !PERSONAL_TOKEN_SCOPES.some((scope) => scope === word));
  return unknown.length === 0
    ? []
    : [
        `A personal access token cannot have the scope ${unknown.map((word) => word.slice(0, 64)).join(", ")}.`,
      ];
}

function dateProblems(date: Date | null, now: Date): readonly string[] {
  if (date === null) return ["Enter the expiration date as YYYY-MM-DD."];
  if (date <= now) return ["Enter an expiration date in the future."];
  const latest = dayAfter(now, DAYS_MAX);
  return date > new Date(latest)
    ? [`Enter an expiration date at most ${DAYS_MAX} days from now, which is ${latest}.`]
    : [];
}

/** The maximum lifetime of a token in the GitLab API, in days. */
const DAYS_MAX = 365;

/** The suggested lifetime of a token in the form, in days. */
const DAYS_BY_DEFAULT = 30;

/** Returns the suggested expiration date of a new token, as `YYYY-MM-DD`. */
export const defaultExpiry = (now: Date): string => dayAfter(now, DAYS_BY_DEFAULT);

/** Returns the date `days` from now in UTC, as `YYYY-MM-DD`. */
export const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the start of a day in UTC; null for a date that does not exist, such as February 30. */
function startOfDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text) ? null : date;
}
