/** How long things live and how forgiving reuse is, in seconds. */
export const SETTINGS = {
  oauth_access_token_expires_in: 7200,
  oauth_code_expires_in: 600,
  code_reuse_leeway: 10,
  session_expires_in: 604_800,
} as const satisfies Record<string, number>;
