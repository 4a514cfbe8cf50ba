/** The properties of a rotation of the instance secret that determine the accepted keys. */
export type Rotation = Readonly<{
  previousCheck: string;
  check: string;
  switchedAt: Date | null;
  retiredAt: Date | null;
  sessionsUntil: Date | null;
}>;

/** The current stage of a rotation. */
export type RotationStage = "announced" | "switched" | "retired";

/**
 * Returns the current stage: `announced` (the new secret is accepted), `switched` (the new secret encrypts),
 * or `retired` (the previous secret is no longer accepted).
 */
export function stageOf({
  switchedAt,
  retiredAt,
}: Pick<Rotation, "switchedAt" | "retiredAt">): RotationStage {
  if (retiredAt !== null) return "retired";
  return switchedAt === null ? "announced" : "switched";
}

/** Returns whether session cookies from before the rotation are still accepted after its end. */
export const acceptsOldSessions = ({ sessionsUntil }: Pick<Rotation, "sessionsUntil">, now: Date): boolean =>
  sessionsUntil !== null && sessionsUntil > now;
