import type { Principal } from "@/access/principal";
import { ALL_SCOPES, type Scope } from "@/access/scopes";
import type { Deps } from "@/kernel/deps/deps";
import { forbidden } from "./errors";
import type { ApiVersion } from "./versions";

/** A request whose token has been checked. */
export type Call = Readonly<{
  deps: Deps;
  caller: Principal | null;
  path: Readonly<Record<string, unknown>>;
  version: ApiVersion;
}>;

/** How callers authenticate at a place, for the check of their tokens and for the documents. */
export type PlaceTerms = Readonly<{
  /** The callers who are admitted, as the end of "For …". */
  audience: string;
  /** Whether callers without a token are admitted, too. */
  anonymous?: true;
  /** Set when no OAuth token is accepted. */
  tokens?: "personal";
  /** Whether the token may also be the password of HTTP Basic. */
  basic?: true;
}>;

/**
 * The place of an endpoint, which decides who may call it: `admit` enforces `audience`, so that both are
 * declared together.
 */
export type Place<Who> = PlaceTerms &
  Readonly<{
    /**
     * Returns the context in which the caller continues.
     * @throws ApiError 403 or 404
     */
    admit: (call: Call) => Who | Promise<Who>;
    /** Only a `ScopedPlace` has scopes. */
    scopes?: never;
  }>;

/** A place whose own scopes open its endpoints, for every method; its endpoints declare no scopes. */
export type ScopedPlace<Who> = Omit<Place<Who>, "scopes"> & Readonly<{ scopes: readonly Scope[] }>;

/** Returns the authenticated caller of a place that is not public. */
export function authenticated({ caller }: Call): Principal {
  if (caller === null) throw new Error("A public place used its caller.");
  return caller;
}

/** The instance, for every user who has a token with the right scope. */
export const instance = (): Place<Principal> => ({
  audience: "every user with a token",
  admit: authenticated,
});

/** The instance, for administrators. */
export const administrator = (): Place<Principal> => ({
  audience: "administrators",
  admit: (call) => {
    const principal = authenticated(call);
    if (!principal.user.admin) throw forbidden();
    return principal;
  },
});

/** The instance, for everybody: without a token, the public resources. */
export const openInstance = (): Place<Principal | null> => ({
  audience: "everybody",
  anonymous: true,
  admit: ({ caller }) => caller,
});

/** The instance, for programs that send their own token as a parameter: the token of a user has no effect. */
export const programs = (): ScopedPlace<Principal | null> => ({ ...openInstance(), scopes: ALL_SCOPES });

/** The API itself, for everybody, in the requested version. */
export const apiItself = (): ScopedPlace<ApiVersion> => ({
  audience: "everybody",
  anonymous: true,
  scopes: ALL_SCOPES,
  admit: ({ version }) => version,
});
