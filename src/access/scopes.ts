/** The risk levels of scopes, from lowest to highest. */
export const SCOPE_RISKS = ["sign_in", "read", "write", "full"] as const;
export type ScopeRisk = (typeof SCOPE_RISKS)[number];

type ScopeRow = Readonly<{
  /** The text of the scope on the consent page, below the heading "This application will be able to". */
  label: string;
  /** Sentences about the access that the scope grants, and about the access that the scope does not grant. */
  detail: string;
  /** A sentence about the damage that an application with this scope can do; only for scopes that allow changes. */
  warning?: string;
  risk: ScopeRisk;
  /** The other scopes that this scope includes. */
  covers: readonly string[];
}>;

/**
 * The catalog of scopes, which the registration form, the consent page, the token checks and the
 * documentation use.
 */
export const SCOPES = {
  openid: {
    label: "Identify you",
    detail:
      "Read your name, username, profile link and groups, so that you can sign in to the application. Does not allow reading your e-mail address or acting for you.",
    risk: "sign_in",
    covers: [],
  },
  profile: {
    label: "Read your name",
    detail: "Read your name, username and profile link. Does not allow changes.",
    risk: "sign_in",
    covers: [],
  },
  email: {
    label: "Read your e-mail address",
    detail: "Read your e-mail address and whether it is confirmed. Does not allow changes.",
    risk: "sign_in",
    covers: [],
  },
  read_user: {
    label: "Read your profile",
    detail: "Read your name, username and e-mail address through the API. Does not allow changes.",
    risk: "read",
    covers: [],
  },
  read_repository: {
    label: "Read your repositories",
    detail: "Clone and fetch the repositories of all projects that you can see. Does not allow pushing.",
    risk: "read",
    covers: [],
  },
  read_registry: {
    label: "Read your container images",
    detail: "Pull the images of all projects that you can see. Does not allow pushing.",
    risk: "read",
    covers: [],
  },
  read: {
    label: "Read everything you can see",
    detail: "Read all data that your account can see. Does not allow changes.",
    risk: "read",
    covers: ["read_api", "read_user"],
  },
  read_api: {
    label: "Read everything you can read",
    detail: "Read everything that you can read, through the API. Does not allow changes.",
    risk: "read",
    covers: ["read", "read_user"],
  },
  mcp: {
    label: "Work as an agent",
    detail:
      "Read the projects, files, merge requests and errors that you can read, through the MCP server. Resolve, ignore and reopen errors, and comment on errors in your name. Does not allow using the API or Git.",
    warning: "Can resolve, ignore and reopen errors, and comment in your name.",
    risk: "write",
    covers: [],
  },
  write_repository: {
    label: "Change your repositories",
    detail: "Clone, fetch and push to all repositories to which you can push. Does not allow using the API.",
    warning: "Can push code wherever you can.",
    risk: "write",
    covers: ["read_repository"],
  },
  write_registry: {
    label: "Change your container images",
    detail: "Push images to all projects to which you can push. Does not allow using the API.",
    warning: "Can replace images wherever you can.",
    risk: "write",
    covers: [],
  },
  create_runner: {
    label: "Create runners",
    detail:
      "Create runners for all projects and groups that you manage. Does not allow reading your projects.",
    warning: "Can add runners wherever you can.",
    risk: "write",
    covers: [],
  },
  manage_runner: {
    label: "Manage runners",
    detail: "Edit, pause and delete the runners that you manage. Does not allow reading your projects.",
    warning: "Can pause and delete your runners.",
    risk: "write",
    covers: [],
  },
  api: {
    label: "Do everything you can do",
    detail:
      "Read and change everything that you can, through the API and Git. Does not allow reading your password.",
    warning: "Can change and delete everything you can.",
    risk: "full",
    covers: [
      "read_api",
      "read",
      "read_user",
      "read_repository",
      "write_repository",
      "read_registry",
      "write_registry",
      "create_runner",
      "manage_runner",
      "mcp",
    ],
  },
} as const satisfies Record<string, ScopeRow>;

export type Scope = keyof typeof SCOPES;

/** All scopes, in the order in which pages list them: from lowest to highest risk. */
export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

/**
 * The scope of a request without the parameter `scope`. If the application is registered without the default
 * scope, a request without the parameter `scope` is refused.
 */
export const DEFAULT_SCOPE: Scope = "api";

/**
 * The scopes that grant data about a signed-in user. A client that acts for itself cannot request scopes
 * about a signed-in user (OpenID Connect Core §5.4).
 */
const SIGN_IN_SCOPES = ["openid", "profile", "email"] as const satisfies readonly Scope[];

/** A scope that an application can have with the client credentials grant. */
export type MachineScope = Exclude<Scope, (typeof SIGN_IN_SCOPES)[number]>;

const isMachineScope = (scope: Scope): scope is MachineScope =>
  !SIGN_IN_SCOPES.some((signInScope) => signInScope === scope);

/** The scopes that an application can have with the client credentials grant. */
export const MACHINE_SCOPES: readonly MachineScope[] = ALL_SCOPES.filter(isMachineScope);

/** The scopes that a request with the password grant, but without client credentials, can contain. */
export const PASSWORD_SCOPES: readonly Scope[] = [
  "api",
  "read_api",
  "read_user",
  "read",
  "read_repository",
  "write_repository",
];

export const isScope = (word: string): word is Scope => Object.hasOwn(SCOPES, word);

/** Returns the known scopes in a list that is separated by spaces or commas, without duplicates. */
export const scopesNamed = (text: string): readonly Scope[] =>
  [...new Set(text.split(/[\s,]+/))].filter(isScope);

/** Returns whether `held` contains the scope `needed`, or a scope that includes `needed`. */
export const allows = (held: readonly string[], needed: Scope): boolean =>
  held.some((scope) => scope === needed || (isScope(scope) && covered(scope).includes(needed)));

const covered = (scope: Scope): readonly string[] => SCOPES[scope].covers;

/** Returns the warning about a scope that allows changes; null for other scopes. */
export const scopeWarning = (scope: Scope): string | null => {
  const row: ScopeRow = SCOPES[scope];
  return row.warning ?? null;
};

/** A scope in a list of scopes, and the other scopes in the list that this scope includes. */
export type ScopeGroup = Readonly<{ scope: Scope; included: readonly Scope[] }>;

/**
 * Orders scopes from the most powerful to the least powerful, and groups each scope below the first scope that
 * includes it. Two scopes that include each other form one group.
 */
export function groupScopes(scopes: readonly Scope[]): readonly ScopeGroup[] {
  const power = (scope: Scope): number =>
    SCOPE_RISKS.indexOf(SCOPES[scope].risk) * ALL_SCOPES.length + covered(scope).length;
  const groups: { scope: Scope; included: Scope[] }[] = [];
  for (const scope of [...new Set(scopes)].toSorted((a, b) => power(b) - power(a))) {
    const group = groups.find((stronger) => covered(stronger.scope).includes(scope));
    if (group === undefined) groups.push({ scope, included: [] });
    else group.included.push(scope);
  }
  return groups;
}

/**
 * Requests may contain the scope `offline_access` (OpenID Connect Core §11). The server never grants
 * `offline_access`, because every grant has a refresh token (docs/decisions/0037).
 */
const OFFLINE_ACCESS = "offline_access";

/** Returns whether a `scope` parameter contains `offline_access`. */
export const requestsOfflineAccess = (text: string): boolean => text.split(/[ ,]/).includes(OFFLINE_ACCESS);

/**
 * Parses a `scope` parameter (RFC 6749 §3.3). The result contains each scope once, in the order of the
 * parameter, without `offline_access`. Commas also separate scopes, because clients of the GitLab API send
 * commas (docs/decisions/0012). Extra spaces between scopes are accepted.
 * @returns null if the parameter contains a character that is not allowed in scopes. The function also
 * returns null for `offline_access` alone, because a request for only `offline_access` must not get the
 * default scope.
 */
export function parseScope(text: string): readonly string[] | null {
  if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)) return null;
  const words = [...new Set(text.split(/[ ,]/).filter((word) => word !== ""))];
  const scopes = words.filter((word) => word !== OFFLINE_ACCESS);
  return words.length > 0 && scopes.length === 0 ? null : scopes;
}
