/**
 * Types of the part of oidc-provider that the benchmarks and tests use. The package oidc-provider contains no
 * types.
 */
declare module "oidc-provider" {
  type Switch = Readonly<{ enabled: boolean; nonceSecret?: Uint8Array; requireNonce?: () => boolean }>;

  type Account = Readonly<{ accountId: string; claims: () => object }>;

  type Configuration = Readonly<{
    adapter?: (model: string) => object;
    findAccount?: (context: unknown, id: string) => Account;
    claims?: Readonly<Record<string, readonly string[]>>;
    clients: readonly object[];
    scopes?: readonly string[];
    pkce: Readonly<{ required: () => boolean }>;
    issueRefreshToken?: () => Promise<boolean>;
    rotateRefreshToken?: boolean;
    expiresWithSession?: () => Promise<boolean>;
    features: Readonly<Record<string, Switch>>;
  }>;

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    listen(port: number, host: string): void;
  }
}
