type Limit = Readonly<{ most: number; perSeconds: number; about: string }>;

/**
 * How often something may fail before it is refused. Successes are never counted, but for registrations. `most` is the
 * default of a setting.
 */
export const LIMITS = {
  oauth_refused: {
    most: 300,
    perSeconds: 60,
    about: "Failed client authentications and grants a minute, per client and address",
  },
  password_per_login: {
    most: 10,
    perSeconds: 180,
    about: "Wrong passwords in 3 minutes, per login and source (an IPv4 address or an IPv6 /64 network)",
  },
  password_per_login_in_all: {
    most: 100,
    perSeconds: 3600,
    about:
      "Wrong passwords an hour, per login from all sources; browsers that the user has used before are exempt",
  },
  password_per_device: {
    most: 10,
    perSeconds: 180,
    about: "Wrong passwords in 3 minutes, per browser that the user has used before",
  },
  password_per_address: { most: 100, perSeconds: 180, about: "Wrong passwords in 3 minutes, per source" },
  second_factor_per_user: {
    most: 5,
    perSeconds: 600,
    about: "Wrong second factors in 10 minutes, per person",
  },
  second_factor_per_address: {
    most: 30,
    perSeconds: 600,
    about: "Wrong second factors in 10 minutes, per address",
  },
  sign_up_per_address: { most: 10, perSeconds: 3600, about: "Registrations an hour, per address" },
  user_code_per_user: {
    most: 5,
    perSeconds: 300,
    about: "Wrong device codes while a code lives, and in 5 minutes at least, per person",
  },
  user_code_per_address: {
    most: 20,
    perSeconds: 600,
    about: "Wrong device codes in 10 minutes, per address",
  },
  user_code_per_instance: { most: 1000, perSeconds: 3600, about: "Wrong device codes an hour, in all" },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
