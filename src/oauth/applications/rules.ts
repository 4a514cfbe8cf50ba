import { isScope, type Scope } from "@/access/scopes";
import { imitatesReservedName, impersonatesInstance } from "@/instance/names/reserved-names";
import { hasHiddenCharacters } from "@/kernel/text/hidden-characters";
import { type BackchannelLogout, validateBackchannelLogout } from "./backchannel-logout";
import {
  type AssertionMethod,
  type ClientAuthentication,
  type ClientAuthenticationDraft,
  SECRET_AUTHENTICATION,
  validateAuthentication,
} from "./client-authentication";
import { machineScopeProblems, machineScopesOf } from "./client-credentials";
import { linesOf, redirectUriProblems } from "./redirect-uris";
import type { TokenOptions } from "./token-options";

/** A registered OAuth client (RFC 6749 §2). */
export type Application = Readonly<{
  id: number;
  /** The Application ID, which is the `client_id` of OAuth requests. */
  uid: string;
  name: string;
  /**
   * Whether a user or a group owns the application. A client with a metadata document or a dynamic
   * registration has no owner.
   */
  registered: boolean;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  /** Whether the application can keep a secret (RFC 6749 §2.1). */
  confidential: boolean;
  /** Whether users of the application skip consent. */
  trusted: boolean;
  /** Whether the application must use PKCE even if it has a secret. */
  requiresPkce: boolean;
  /** Whether the application may use the password grant. */
  allowsPassword: boolean;
  /**
   * The type of the assertion with which the application authenticates; null for an application that uses its
   * client secret, and for a public client.
   */
  authMethod: AssertionMethod | null;
  /** Whether the authorization requests of the application must be pushed (RFC 9126). */
  requiresPushedRequests: boolean;
  /** Whether the tokens of the application must be bound to a key (RFC 9449). */
  requiresDpop: boolean;
  tokens: TokenOptions;
  /** The scopes of the client credentials grant (RFC 6749 §4.4); empty if the application may not use the grant. */
  clientCredentialsScopes: readonly Scope[];
  backchannelLogout: BackchannelLogout;
  /** Whether the application introspects tokens of other applications. */
  resourceServer: boolean;
  createdAt: Date;
  /**
   * The time of the last use of the application; null if the application was never used. The time is recorded
   * at intervals, not for every request.
   */
  lastUsedAt: Date | null;
  /**
   * The time at which an administrator blocked the application; null for an application that is not blocked.
   */
  blockedAt: Date | null;
  /**
   * Whether the application is refused because its owner is not active, or because its group has no active Owner.
   * Trusted applications and applications of the instance are never refused because of the owner.
   */
  ownerBlocked: boolean;
}>;

/** Returns whether an application must use PKCE. Public clients must always use PKCE (RFC 9700 §2.1.1). */
export const mustUsePkce = ({
  confidential,
  requiresPkce,
}: Pick<Application, "confidential" | "requiresPkce">): boolean => requiresPkce || !confidential;

/** Returns whether every request of an application is refused. */
export const isBlocked = ({
  blockedAt,
  ownerBlocked,
}: Pick<Application, "blockedAt" | "ownerBlocked">): boolean => blockedAt !== null || ownerBlocked;

/**
 * Returns whether users of an application skip consent. Another program can act as a public client, so users
 * of a public client never skip consent.
 */
export const skipsConsent = ({
  registered,
  confidential,
  trusted,
}: Pick<Application, "registered" | "confidential" | "trusted">): boolean =>
  registered && confidential && trusted;

/**
 * The user or the group that owns an application. The owner `instance` is an administrator; the owner
 * `nobody` stands for a client with a metadata document or a dynamic registration.
 */
export type ApplicationOwner = Readonly<{
  kind: "instance" | "user" | "group" | "nobody";
  /** The id of the user or of the group that owns the application; 0 for `nobody`. */
  id: number;
  /** The username of the owner, or the full path of the group that owns the application. */
  path: string;
  name: string;
}>;

/** A user with the name that pages show. */
export type NamedUser = Readonly<{ id: number; username: string; name: string }>;

/** An application with its owner, and with the path of its logo, if it has a logo. */
export type ShownApplication = Application &
  Readonly<{
    owner: ApplicationOwner;
    /**
     * The user who maintains the application in addition to its owner; null for an application without a
     * second maintainer.
     */
    maintainer: NamedUser | null;
    logo: string | null;
  }>;

/**
 * The right of a user who manages an application. `own` includes `edit`, and allows the user to delete and transfer the
 * application, and to choose its maintainer.
 */
export type ApplicationRight = "own" | "edit";

/**
 * An application with the verified right of the user who manages the application. Only `findManaged` creates
 * this type.
 */
export type ManagedApplication = ShownApplication & Readonly<{ right: ApplicationRight }>;

/** Returns whether a right includes another right. */
export const hasRight = (held: ApplicationRight, required: ApplicationRight): boolean =>
  held === "own" || required === "edit";

/**
 * Returns the right of a user to manage an application; null for a user without such a right.
 * @param ownsGroup whether the user has the role Owner in the group that owns the application.
 */
export function rightOf(
  { owner, maintainer }: Pick<ShownApplication, "owner" | "maintainer">,
  user: Readonly<{ id: number }>,
  ownsGroup: boolean,
): ApplicationRight | null {
  if (owner.kind === "nobody") return null;
  if (owner.kind === "group") return ownsGroup ? "own" : null;
  if (owner.id === user.id) return "own";
  return maintainer?.id === user.id ? "edit" : null;
}

/** The properties of an application that the administrators' lists of applications show. */
export type ListedApplication = Readonly<{
  id: number;
  uid: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  confidential: boolean;
  trusted: boolean;
  resourceServer: boolean;
  requiresPkce: boolean;
  allowsPassword: boolean;
  authMethod: AssertionMethod | null;
  /** The URL of the public keys; null for an application without public keys. */
  jwksUri: string | null;
  requiresPushedRequests: boolean;
  requiresDpop: boolean;
  tokens: TokenOptions;
  backchannelLogout: BackchannelLogout;
  clientCredentialsScopes: readonly Scope[];
  /** The bot user of the client credentials grant; null for an application that never had a bot user. */
  bot: Readonly<{ id: number; username: string }> | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  blockedAt: Date | null;
  /** Whether the application is refused because of its owner; see `Application`. */
  ownerBlocked: boolean;
  owner: ApplicationOwner;
}>;

/**
 * The applications that stop working when their owner is blocked, with the number of users of each
 * application.
 */
export type DependentApplications = Readonly<{
  count: number;
  /**
   * The applications with the most users. `count` is the number of all dependent applications, including the
   * applications that are not in `shown`.
   */
  shown: readonly Readonly<{ id: number; name: string; users: number }>[];
}>;

/** The properties of a secret, without its value. */
export type ApplicationSecret = Readonly<{
  id: number;
  /** The last characters of the secret; empty for an old secret, whose last characters were not stored. */
  ending: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}>;

/** The orders in which the applications of an owner can be listed. */
export const OWN_SORTS = ["newest", "name", "last_use"] as const;
export type OwnSort = (typeof OWN_SORTS)[number];

/** The maximum number of secrets of an application. Two secrets allow a rotation without an outage. */
export const SECRETS_MAX = 2;

const IDLE_DAYS = 7;

/**
 * Returns whether a secret was not used for a week. The owner can probably remove an unused secret safely.
 */
export const isIdle = ({ lastUsedAt, createdAt }: ApplicationSecret, now: Date): boolean =>
  now.getTime() - (lastUsedAt ?? createdAt).getTime() >= IDLE_DAYS * 86_400_000;

/** The values of the application form before validation. */
export type ApplicationDraft = Readonly<{
  name: string;
  /** The raw text of the field for redirect URIs, with one URI per line. */
  redirectUris: string;
  scopes: readonly string[];
  /** Whether the application is confidential; null while the user has not selected a type. */
  confidential: boolean | null;
  requiresPkce: boolean;
  allowsPassword: boolean;
  /** Whether the application must push its authorization requests; undefined to keep the current value. */
  requiresPushedRequests?: boolean;
  requiresDpop?: boolean;
  /** The authentication of a confidential application; undefined to keep the current authentication. */
  authentication?: ClientAuthenticationDraft;
  /** The options for the tokens of the application; undefined to keep the current options. */
  tokens?: TokenOptions;
  /**
   * The scopes of the client credentials grant. An empty list turns the client credentials grant off. The
   * value undefined keeps the current scopes.
   */
  clientCredentialsScopes?: readonly string[];
  /** The URL for logout tokens; undefined to keep the current URL. */
  backchannelLogout?: BackchannelLogout;
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
  /** Whether the application must push its authorization requests; undefined to keep the current value. */
  requiresPushedRequests?: boolean;
  requiresDpop?: boolean;
  /** The validated authentication; undefined to keep the current authentication. */
  authentication?: ClientAuthentication;
  /** The options for the tokens of the application; undefined to keep the current options. */
  tokens?: TokenOptions;
  /** The scopes of the client credentials grant; undefined to keep the current scopes. */
  clientCredentialsScopes?: readonly Scope[];
  backchannelLogout?: BackchannelLogout;
}>;

export type ApplicationField =
  | "name"
  | "redirectUris"
  | "scopes"
  | "confidential"
  | "authentication"
  | "clientCredentialsScopes"
  | "backchannelLogout";
export type ApplicationProblems = Readonly<Partial<Record<ApplicationField, readonly string[]>>>;
export type ValidatedApplication =
  | { readonly input: ApplicationInput }
  | { readonly problems: ApplicationProblems };

const NAME_CHARACTERS_MAX = 255;

/**
 * Validates a draft of an application. The result describes every invalid field of the draft. The error
 * message about a redirect URI contains the line number of the redirect URI.
 * @param plainHttp whether http redirect URIs are allowed on any host.
 * @param nameBefore the current name of the application, which the application can keep.
 * @param instanceNames the names of this instance, which the name of an application must not imitate.
 */
export function validateApplication(
  draft: ApplicationDraft,
  plainHttp: boolean,
  nameBefore?: string,
  instanceNames: readonly string[] = [],
): ValidatedApplication {
  const name = draft.name.trim();
  const redirectUris = [...new Set(linesOf(draft.redirectUris).filter((line) => line !== ""))];
  const scopes = [...new Set(draft.scopes)].filter(isScope);
  const { confidential, requiresPkce, allowsPassword } = draft;
  const authentication =
    draft.authentication && confidential
      ? validateAuthentication(draft.authentication, plainHttp)
      : confidential === false
        ? SECRET_AUTHENTICATION
        : undefined;
  const backchannelLogout =
    draft.backchannelLogout && validateBackchannelLogout(draft.backchannelLogout, plainHttp);
  const problemsByField: Record<ApplicationField, readonly string[]> = {
    name: name === nameBefore ? [] : nameProblems(name, instanceNames),
    redirectUris: redirectUriProblems(draft.redirectUris, plainHttp),
    scopes: scopeProblems(draft.scopes),
    confidential: confidential === null ? ["Select whether the application can keep a secret."] : [],
    authentication: authentication && "problems" in authentication ? authentication.problems : [],
    clientCredentialsScopes: machineScopeProblems(draft),
    backchannelLogout: backchannelLogout && "problems" in backchannelLogout ? backchannelLogout.problems : [],
  };
  const problems = Object.fromEntries(
    Object.entries(problemsByField).filter(([, texts]) => texts.length > 0),
  );
  if (Object.keys(problems).length > 0 || confidential === null) return { problems };
  const { requiresPushedRequests, requiresDpop, tokens } = draft;
  const clientCredentialsScopes = machineScopesOf(draft);
  const input = {
    ...{ name, redirectUris, scopes, confidential, requiresPkce, allowsPassword },
    ...(requiresPushedRequests === undefined ? {} : { requiresPushedRequests }),
    ...(requiresDpop === undefined ? {} : { requiresDpop }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(clientCredentialsScopes === undefined ? {} : { clientCredentialsScopes }),
    ...(backchannelLogout === undefined || "problems" in backchannelLogout ? {} : { backchannelLogout }),
  };
  return authentication === undefined || "problems" in authentication
    ? { input }
    : { input: { ...input, authentication } };
}

function nameProblems(name: string, instanceNames: readonly string[]): readonly string[] {
  if (name === "") return ["Enter a name that people recognize."];
  if (name.length > NAME_CHARACTERS_MAX) return [`Use at most ${NAME_CHARACTERS_MAX} characters.`];
  if (hasHiddenCharacters(name)) return ["Remove invisible and control characters."];
  if (imitatesReservedName(name)) return ["Choose another name. This name imitates a reserved name."];
  return impersonatesInstance(name, instanceNames)
    ? [
        "Choose another name. This name suggests that the application belongs to this server or to GitLab. A name such as “Importer for GitLab” is allowed.",
      ]
    : [];
}

/**
 * Returns the name in the metadata of a client without an owner; null for a name that is not allowed for
 * applications.
 */
export function stateableName(name: string | undefined, instanceNames: readonly string[]): string | null {
  const trimmed = name?.trim() ?? "";
  return nameProblems(trimmed, instanceNames).length === 0 ? trimmed : null;
}

function scopeProblems(words: readonly string[]): readonly string[] {
  if (words.length === 0) return ["Select at least one scope."];
  const unknown = words.filter((word) => !isScope(word));
  return unknown.length === 0
    ? []
    : [`Unknown scope: ${unknown.map((word) => word.slice(0, 64)).join(", ")}.`];
}
