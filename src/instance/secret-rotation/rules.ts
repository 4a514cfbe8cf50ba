/** The properties of a rotation of the instance secret that determine which keys are accepted. */
export type Rotation = Readonly<{
  previousCheck: string;
  check: string;
  switchedAt: Date | null;
  retiredAt: Date | null;
  sessionsUntil: Date | null;
}>;

/** The stage of a rotation of the instance secret. */
export type RotationStage = "announced" | "switched" | "retired";

/**
 * Returns the current stage of a rotation of the instance secret. `announced` means that the new secret is
 * accepted. `switched` means that new values are encrypted with the new secret. `retired` means that the
 * previous secret is no longer accepted.
 */
export function stageOf({
  switchedAt,
  retiredAt,
}: Pick<Rotation, "switchedAt" | "retiredAt">): RotationStage {
  if (retiredAt !== null) return "retired";
  return switchedAt === null ? "announced" : "switched";
}

/** Returns whether session cookies that were created before the rotation are still accepted. */
export const acceptsOldSessions = ({ sessionsUntil }: Pick<Rotation, "sessionsUntil">, now: Date): boolean =>
  sessionsUntil !== null && sessionsUntil > now;
