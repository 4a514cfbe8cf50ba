/**
 * Types of the part of passport's strategies that the tests use. The packages of these strategies contain no
 * types.
 */
declare module "passport-oauth2" {
  type Verify = (
    accessToken: string,
    refreshToken: string | undefined,
    profile: Profile,
    done: (error: Error | null, user?: object) => void,
  ) => void;

  export type Profile = Readonly<Record<string, unknown>>;

  type Options = Readonly<{
    authorizationURL: string;
    tokenURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    scope?: string | readonly string[];
    state?: boolean;
    pkce?: boolean;
  }>;

  /**
   * A strategy reports the result of the sign-in by calling methods that the middleware of passport provides.
   */
  export class Strategy {
    constructor(options: Options, verify: Verify);
    authenticate(request: object): void;
    redirect(url: string): void;
    success(user: object): void;
    fail(challenge?: Readonly<{ message?: string }>, status?: number): void;
    error(error: Error): void;
  }

  const exported: typeof Strategy;
  export default exported;
}

declare module "passport" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Middleware = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: Error) => void,
  ) => void;

  const passport: Readonly<{
    authenticate: (strategy: string, options: Readonly<{ session: boolean }>) => Middleware;
  }>;
  export default passport;
}

declare module "passport-gitlab2" {
  import type { Strategy as OAuth2Strategy, Verify } from "passport-oauth2";

  type Options = Readonly<{
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    baseURL: string;
    scope?: string | readonly string[];
    scopeSeparator?: string;
    state?: boolean;
    pkce?: boolean;
  }>;

  export class Strategy extends OAuth2Strategy {
    constructor(options: Options, verify: Verify);
  }

  const exported: typeof Strategy;
  export default exported;
}
