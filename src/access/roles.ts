/**
 * The roles of members of projects and groups, from lowest to highest. The database stores a role as its
 * access level in the GitLab API.
 */
export const ROLES = {
  guest: { level: 10, label: "Guest", about: "Can view the project." },
  reporter: { level: 20, label: "Reporter", about: "Can also read the source code." },
  developer: { level: 30, label: "Developer", about: "Can also push and manage errors." },
  maintainer: { level: 40, label: "Maintainer", about: "Can also change settings and members." },
  owner: { level: 50, label: "Owner", about: "Can also delete the project." },
} as const satisfies Record<string, Readonly<{ level: number; label: string; about: string }>>;

export type Role = keyof typeof ROLES;

/** All roles from lowest to highest. */
export const ALL_ROLES = Object.keys(ROLES) as readonly Role[];

export const isRole = (word: string): word is Role => Object.hasOwn(ROLES, word);

/**
 * Returns the highest role among the direct and inherited access levels of a member; null for an empty list.
 */
export function roleOf(levels: readonly number[]): Role | null {
  const highest = Math.max(0, ...levels);
  return ALL_ROLES.findLast((role) => ROLES[role].level <= highest) ?? null;
}

/** Returns whether a user with the role `held` has at least the role `needed`. */
export const reaches = (held: Role | null, needed: Role): boolean =>
  held !== null && ROLES[held].level >= ROLES[needed].level;
