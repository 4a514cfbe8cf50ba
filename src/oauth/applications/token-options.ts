import { isSigningAlgorithm, type SigningAlgorithm } from "../signing-keys/rules";

/** The formats of access tokens: a random string, or a JSON Web Token (RFC 9068). */
export const ACCESS_TOKEN_FORMATS = ["opaque", "jwt"] as const;
export type AccessTokenFormat = (typeof ACCESS_TOKEN_FORMATS)[number];

/** The options for the tokens that an application receives. */
export type TokenOptions = Readonly<{
  /** The algorithm that signs ID tokens and JWT access tokens for the application. */
  idTokenAlgorithm: SigningAlgorithm;
  accessTokenFormat: AccessTokenFormat;
}>;

export const DEFAULT_TOKEN_OPTIONS: TokenOptions = { idTokenAlgorithm: "RS256", accessTokenFormat: "opaque" };

/** Returns the options that determine the access tokens of an application. */
export const accessTokensOf = ({ uid, tokens }: Readonly<{ uid: string; tokens: TokenOptions }>) => ({
  ...tokens,
  clientUid: uid,
});

/**
 * Returns the token options with these names. For an unknown name, the result contains the default option.
 */
export const tokenOptionsFrom = (texts: Readonly<Record<keyof TokenOptions, string>>): TokenOptions => ({
  idTokenAlgorithm: isSigningAlgorithm(texts.idTokenAlgorithm)
    ? texts.idTokenAlgorithm
    : DEFAULT_TOKEN_OPTIONS.idTokenAlgorithm,
  accessTokenFormat:
    ACCESS_TOKEN_FORMATS.find((format) => format === texts.accessTokenFormat) ??
    DEFAULT_TOKEN_OPTIONS.accessTokenFormat,
});
