import type { Principal } from "@/access/principal";
import { ALL_SCOPES, type Scope } from "@/access/scopes";
import type { Deps } from "@/kernel/deps/deps";
import { forbidden } from "./errors";
import type { ApiVersion } from "./versions";

/** A request once its token has been judged. */
export type Call = Readonly<{
  deps: Deps;
  caller: Principal | null;
  path: Readonly<Record<string, unknown>>;
  version: ApiVersion;
}>;

/** How callers come to a place, for the check of their tokens and for the documents. */
export type PlaceTerms = Readonly<{
  /** Who is admitted, as the end of "For …". */
  audience: string;
  /** Whether callers without a token are admitted, too. */
  anonymous?: true;
  /** Where no OAuth token will do. */
  tokens?: "personal";
  /** Whether the token may be the password of HTTP Basic, too. */
  basic?: true;
}>;

/**
 * Where an endpoint is, which decides who may call it: `admit` enforces what `audience` says, so that a place is the
 * only way to state either.
 */
export type Place<Who> = PlaceTerms &
  Readonly<{
    /** Decides as what the caller goes on. Raises an ApiError 403 or 404. */
    admit: (call: Call) => Who | Promise<Who>;
    /** Only a `ScopedPlace` has scopes. */
    scopes?: never;
  }>;

/** A place whose endpoints are opened by any of its own scopes, whatever their method; none of them states others. */
export type ScopedPlace<Who> = Omit<Place<Who>, "scopes"> & Readonly<{ scopes: readonly Scope[] }>;

/** The caller of a place that is not for everybody, who has been authenticated by then. */
export function authenticated({ caller }: Call): Principal {
  if (caller === null) throw new Error("A place for everybody asked who its caller is.");
  return caller;
}

/** The instance, for everybody who has a token with the right scope. */
export const instance = (): Place<Principal> => ({
  audience: "everybody with a token",
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

/** The instance, for everybody: without a token, what everybody may see. */
export const openInstance = (): Place<Principal | null> => ({
  audience: "everybody",
  anonymous: true,
  admit: ({ caller }) => caller,
});

/** The instance, for programs that send a token of their own as a parameter: the token of a user is of no effect. */
export const programs = (): ScopedPlace<Principal | null> => ({ ...openInstance(), scopes: ALL_SCOPES });

/** The API itself, for everybody, in the version that was asked for. */
export const apiItself = (): ScopedPlace<ApiVersion> => ({
  audience: "everybody",
  anonymous: true,
  scopes: ALL_SCOPES,
  admit: ({ version }) => version,
});
