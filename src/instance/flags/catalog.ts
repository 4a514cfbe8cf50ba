type Row = Readonly<{ since: string; default: boolean; about: string }>;

/** The feature flags. The API, the command line and the settings page list the flags of this catalog. */
export const FLAGS = {
  oauth2_device_grant_flow: { since: "17.1", default: false, about: "Device authorization grant (RFC 8628)" },
} as const satisfies Record<string, Row>;

export type Flag = keyof typeof FLAGS;

export const isFlag = (name: string): name is Flag => Object.hasOwn(FLAGS, name);
