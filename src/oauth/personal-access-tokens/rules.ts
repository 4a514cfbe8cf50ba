import { ALL_SCOPES, isScope, type Scope } from "@/access/scopes";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";

/** A token that a person made for themselves, to call the API and Git with. */
export type PersonalToken = Readonly<{
  id: number;
  userId: number;
  name: string;
  scopes: readonly string[];
  createdAt: Date;
  /** Null: never, as tokens could be made once. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** The id of the first of those that it was rotated from. Null: it came of no other. */
  familyId: number | null;
}>;

/** What names the token and all that came of it by rotation: the id of the first. */
export const familyOf = ({ id, familyId }: Pick<PersonalToken, "id" | "familyId">): number => familyId ?? id;

/** Signing in somewhere is what applications do: these scopes mean nothing in a person's own token. */
const SIGN_IN_SCOPES: readonly Scope[] = ["openid", "profile", "email"];

/** What a personal access token can be given. */
export const PERSONAL_TOKEN_SCOPES: readonly Scope[] = ALL_SCOPES.filter(
  (scope) => !SIGN_IN_SCOPES.includes(scope),
);

const NAME_CHARACTERS_MAX = 255;

/** What a person says when making a token, before it is judged. */
export type PersonalTokenDraft = Readonly<{
  name: string;
  scopes: readonly string[];
  /** `YYYY-MM-DD`: the token ends when this day begins, in UTC. Null: as late as it may. */
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

/** Judges a draft, whole: every field that is wrong is named. */
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
  // A day that is none has its problem, too.
  return Object.keys(problems).length > 0 || expiresAt === null
    ? { problems }
    : { input: { name, scopes, expiresAt } };
}

function nameProblems(name: string): readonly string[] {
  if (name === "") return ["Enter a name that describes where the token is used."];
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

/** As long as the dialect lets a token live. */
const DAYS_MAX = 365;

/** What a token is given when nothing else is said: long enough to be of use, short enough to be forgotten. */
const DAYS_BY_DEFAULT = 30;

/** The day, as `YYYY-MM-DD`, on which a token made now ends if nothing else is said. */
export const defaultExpiry = (now: Date): string => dayAfter(now, DAYS_BY_DEFAULT);

/** The day so many days from now, as `YYYY-MM-DD` in UTC. */
export const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);

/** Null for what is no day, such as the 30th of February. */
function startOfDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00.000Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text) ? null : date;
}
