import type { Principal } from "@/access/principal";
import { ALL_SCOPES, type Scope } from "@/access/scopes";
import type { Deps } from "@/kernel/deps/deps";
import { forbidden } from "./errors";
import type { ApiVersion } from "./versions";

/** An API request whose token has been checked. */
export type Call = Readonly<{
  deps: Deps;
  caller: Principal | null;
  path: Readonly<Record<string, unknown>>;
  version: ApiVersion;
}>;

/**
 * The part of an access rule that defines how callers authenticate. The server uses the fields of this type
 * to check tokens, and the API documentation describes the fields.
 */
export type AccessRuleTerms = Readonly<{
  /** The description of the callers with access, as the end of a sentence that begins with "For". */
  audience: string;
  /** Whether callers without a token also have access. */
  anonymous?: true;
  /** Set for an access rule that accepts no OAuth token. */
  tokens?: "personal";
  /** Whether the caller may also send the token as the password of HTTP Basic authentication. */
  basic?: true;
  /**
   * The scope that a deploy token needs. If the scope is missing, the endpoints of the access rule do not
   * accept deploy tokens.
   */
  deployScope?: "read_package_registry" | "write_package_registry";
}>;

/**
 * The access rule of an endpoint, which decides who may call the endpoint. The function `admit` enforces the
 * rule, and the text `audience` describes the rule, so `admit` and `audience` are declared together.
 */
export type AccessRule<Who> = AccessRuleTerms &
  Readonly<{
    /**
     * Checks the access of the caller and returns the argument that is passed to the function of the
     * endpoint.
     * @throws ApiError 403 or 404
     */
    admit: (call: Call) => Who | Promise<Who>;
    /** Only a `ScopedAccessRule` has scopes. */
    scopes?: never;
  }>;

/**
 * An access rule with the scopes for all methods of its endpoints. The endpoints of such an access rule
 * declare no scopes.
 */
export type ScopedAccessRule<Who> = Omit<AccessRule<Who>, "scopes"> & Readonly<{ scopes: readonly Scope[] }>;

/** Returns the authenticated caller of an access rule that requires a token. */
export function authenticated({ caller }: Call): Principal {
  if (caller === null)
    throw new Error(
      "The access rule does not authenticate callers, so the request has no authenticated caller.",
    );
  return caller;
}

/** The access rule of instance endpoints for every user with a token that has a sufficient scope. */
export const instance = (): AccessRule<Principal> => ({
  audience: "every user with a token",
  admit: authenticated,
});

/** The access rule of instance endpoints for administrators. */
export const administrator = (): AccessRule<Principal> => ({
  audience: "administrators",
  admit: (call) => {
    const principal = authenticated(call);
    if (!principal.user.admin) throw forbidden();
    return principal;
  },
});

/**
 * The access rule of instance endpoints for all callers. Callers without a token see only public resources.
 */
export const openInstance = (): AccessRule<Principal | null> => ({
  audience: "everybody",
  anonymous: true,
  admit: ({ caller }) => caller,
});

/**
 * The access rule of instance endpoints for programs that send their own token as a parameter. If the request
 * also contains a user's access token, the server ignores the access token.
 */
export const programs = (): ScopedAccessRule<Principal | null> => ({
  ...openInstance(),
  scopes: ALL_SCOPES,
});

/**
 * The access rule of endpoints that describe the API itself in the requested version. All callers have
 * access.
 */
export const apiItself = (): ScopedAccessRule<ApiVersion> => ({
  audience: "everybody",
  anonymous: true,
  scopes: ALL_SCOPES,
  admit: ({ version }) => version,
});
