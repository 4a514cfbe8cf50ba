/** True for Prisma's unique violation. By its code: each bundle has an error class of its own. */
export const isUniqueViolation = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "P2002";
