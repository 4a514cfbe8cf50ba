/** A rotation of the instance secret as far as the accepted keys depend on it. */
export type Rotation = Readonly<{
  previousCheck: string;
  check: string;
  switchedAt: Date | null;
  retiredAt: Date | null;
  sessionsUntil: Date | null;
}>;

/** The current stage of a rotation. */
export type RotationStage = "announced" | "switched" | "retired";

/** Returns the stage: the new secret is accepted, the new secret encrypts, or the previous secret is not accepted. */
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
