/** The events that are counted per hour. */
export const STATISTICS = {
  "sign_in.succeeded": "Sign-ins",
  "sign_in.failed": "Failed sign-ins: a wrong password or a wrong second factor",
  "authorization.granted": "Authorization codes that were issued",
  "token.issued": "Tokens that were issued for an authorization code, a device code or a password",
  "token.refreshed": "Refreshed tokens",
  "request.failed":
    "Requests of an application that were refused for a reason that its developer can correct",
} as const satisfies Record<string, string>;

export type StatisticName = keyof typeof STATISTICS;
