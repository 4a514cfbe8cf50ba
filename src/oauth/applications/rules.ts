import { isScope, type Scope } from "@/access/scopes";
import { imitatesReservedName } from "@/instance/names/reserved-names";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";
import { redirectUriProblem } from "./redirect-uri";

/** A registered OAuth client (RFC 6749 §2). */
export type Application = Readonly<{
  id: number;
  /** The Application ID: the `client_id` of the protocol. */
  uid: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  /** Can keep a secret (RFC 6749 §2.1). */
  confidential: boolean;
  /** Consent is skipped. */
  trusted: boolean;
  /** PKCE is demanded although there is a secret. */
  requiresPkce: boolean;
  /** May use the password grant. */
  allowsPassword: boolean;
  owner: Readonly<{ id: number; username: string; name: string }>;
  createdAt: Date;
  /** Written now and then, not with every request. Null: never used. */
  lastUsedAt: Date | null;
  /** When an administrator blocked it; null while it works. */
  blockedAt: Date | null;
  /** Its owner is not active, and it is neither trusted nor owned by the instance. */
  ownerBlocked: boolean;
}>;

/** Whether every request of an application is refused. */
export const isBlocked = ({
  blockedAt,
  ownerBlocked,
}: Pick<Application, "blockedAt" | "ownerBlocked">): boolean => blockedAt !== null || ownerBlocked;

/** An application as pages show it: with the address of its logo, if it has one. */
export type ShownApplication = Application & Readonly<{ logo: string | null }>;

/** An application as an administrator sees it. */
export type ListedApplication = Readonly<{
  id: number;
  uid: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  confidential: boolean;
  trusted: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  blockedAt: Date | null;
  /** It is refused because its owner is blocked. */
  ownerBlocked: boolean;
  owner: Readonly<{ id: number; username: string; name: string }>;
}>;

/** Applications that are refused when their owner is blocked, and how many people each of them has grants of. */
export type DependentApplications = Readonly<{
  count: number;
  /** Those with the most people first; the rest is only counted. */
  shown: readonly Readonly<{ id: number; name: string; users: number }>[];
}>;

/** A secret as its owner sees it: never the secret itself. */
export type ApplicationSecret = Readonly<{
  id: number;
  /** Its last characters, to tell one from another; empty for one that is older than this. */
  ending: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}>;

/** One to use and one to change over to: a rotation needs no outage. */
export const SECRETS_MAX = 2;

/** Of a picture that is uploaded as a logo. */
export const LOGO_BYTES_MAX = 1024 * 1024;

const IDLE_DAYS = 7;

/** Whether nobody has used a secret for a week, so that it can be removed without harm. */
export const isIdle = ({ lastUsedAt, createdAt }: ApplicationSecret, now: Date): boolean =>
  now.getTime() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000;

/** What a person says when registering or changing an application, before it is judged. */
export type ApplicationDraft = Readonly<{
  name: string;
  /** As typed: one per line. */
  redirectUris: string;
  scopes: readonly string[];
  /** Null: not chosen yet. */
  confidential: boolean | null;
  requiresPkce: boolean;
  allowsPassword: boolean;
  /** Whether grants with a scope that the application no longer has are revoked. */
  revokesUncovered?: boolean;
}>;

export type ApplicationInput = Readonly<{
  name: string;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  confidential: boolean;
  requiresPkce: boolean;
  allowsPassword: boolean;
}>;

export type ApplicationField = "name" | "redirectUris" | "scopes" | "confidential";
export type ApplicationProblems = Readonly<Partial<Record<ApplicationField, readonly string[]>>>;
export type ValidatedApplication =
  | { readonly input: ApplicationInput }
  | { readonly problems: ApplicationProblems };

export const REDIRECT_URIS_MAX = 50;
const NAME_CHARACTERS_MAX = 255;

/**
 * Judges a draft, whole: every field that is wrong is named, every line of it by its number.
 * @param plainHttp whether http redirect URIs are allowed on any host.
 * @param nameBefore the name that the application has already, which it can keep.
 */
export function validateApplication(
  draft: ApplicationDraft,
  plainHttp: boolean,
  nameBefore?: string,
): ValidatedApplication {
  const name = draft.name.trim();
  const redirectUris = [...new Set(linesOf(draft.redirectUris).filter((line) => line !== ""))];
  const scopes = [...new Set(draft.scopes)].filter(isScope);
  const { confidential, requiresPkce, allowsPassword } = draft;
  const problemsByField: Record<ApplicationField, readonly string[]> = {
    name: name === nameBefore ? [] : nameProblems(name),
    redirectUris: redirectUriProblems(draft.redirectUris, plainHttp),
    scopes: scopeProblems(draft.scopes),
    confidential: confidential === null ? ["Choose whether it can keep a secret."] : [],
  };
  const problems = Object.fromEntries(
    Object.entries(problemsByField).filter(([, texts]) => texts.length > 0),
  );
  if (Object.keys(problems).length > 0 || confidential === null) return { problems };
  return { input: { name, redirectUris, scopes, confidential, requiresPkce, allowsPassword } };
}

function nameProblems(name: string): readonly string[] {
  if (name === "") return ["Give it a name that people will recognise."];
  if (name.length > NAME_CHARACTERS_MAX) return [`Use at most ${NAME_CHARACTERS_MAX} characters.`];
  if (hasHiddenCharacters(name)) return ["Leave out invisible and control characters."];
  return imitatesReservedName(name) ? ["Use another name: this one imitates a reserved name."] : [];
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/).map((line) => line.trim());

/** What is wrong with redirect URIs as they are typed, one per line; the form asks while they are. */
export function redirectUriProblems(text: string, plainHttp: boolean): readonly string[] {
  const lines = linesOf(text);
  const filled = lines.filter((line) => line !== "").length;
  if (filled === 0) return ["Give at least one redirect URI."];
  if (filled > REDIRECT_URIS_MAX) return [`Give at most ${REDIRECT_URIS_MAX} redirect URIs.`];
  return lines.flatMap((line, index) => {
    const problem = line === "" ? null : redirectUriProblem(line, plainHttp);
    return problem === null ? [] : [`Line ${index + 1} ${problem}.`];
  });
}

function scopeProblems(words: readonly string[]): readonly string[] {
  if (words.length === 0) return ["Choose at least one scope."];
  const unknown = words.filter((word) => !isScope(word));
  return unknown.length === 0
    ? []
    : [`There is no scope ${unknown.map((word) => word.slice(0, 64)).join(", ")}.`];
}
