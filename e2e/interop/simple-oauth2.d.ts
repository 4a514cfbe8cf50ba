/** Types of the part of simple-oauth2 that the tests use. The package simple-oauth2 contains no types. */
declare module "simple-oauth2" {
  export type Token = Readonly<Record<string, unknown>>;

  export class AccessToken {
    readonly token: Token;
    expired(expirationWindowSeconds?: number): boolean;
    refresh(params?: Readonly<Record<string, string>>): Promise<AccessToken>;
    revoke(tokenType: "access_token" | "refresh_token"): Promise<unknown>;
    revokeAll(): Promise<void>;
  }

  type Configuration = Readonly<{
    client: Readonly<{ id: string; secret: string }>;
    auth: Readonly<{ tokenHost: string }>;
    options?: Readonly<{
      authorizationMethod?: "header" | "body";
      bodyFormat?: "form" | "json";
      credentialsEncodingMode?: "strict" | "loose";
    }>;
  }>;

  export class AuthorizationCode {
    constructor(configuration: Configuration);
    authorizeURL(params: Readonly<{ redirect_uri: string; scope: string | string[]; state: string }>): string;
    getToken(params: Readonly<{ code: string; redirect_uri: string }>): Promise<AccessToken>;
  }

  export class ResourceOwnerPassword {
    constructor(configuration: Configuration);
    getToken(params: Readonly<{ username: string; password: string; scope?: string }>): Promise<AccessToken>;
  }
}
