/** What a member of a project or a group can be, from least to most. The numbers are the dialect's, and are stored. */
export const ROLES = {
  guest: { level: 10, label: "Guest", about: "Sees the project." },
  reporter: { level: 20, label: "Reporter", about: "Reads its code, too." },
  developer: { level: 30, label: "Developer", about: "Pushes, and works on its errors." },
  maintainer: { level: 40, label: "Maintainer", about: "Changes its settings and its members." },
  owner: { level: 50, label: "Owner", about: "Can remove it, too." },
} as const satisfies Record<string, Readonly<{ level: number; label: string; about: string }>>;

export type Role = keyof typeof ROLES;

/** From least to most. */
export const ALL_ROLES = Object.keys(ROLES) as readonly Role[];

export const isRole = (word: string): word is Role => Object.hasOwn(ROLES, word);

/** The highest role that these levels give, of which there may be several: one's own and inherited ones. */
export function roleOf(levels: readonly number[]): Role | null {
  const highest = Math.max(0, ...levels);
  return ALL_ROLES.findLast((role) => ROLES[role].level <= highest) ?? null;
}

/** Whether someone with `held` may do what needs `needed`. */
export const reaches = (held: Role | null, needed: Role): boolean =>
  held !== null && ROLES[held].level >= ROLES[needed].level;
