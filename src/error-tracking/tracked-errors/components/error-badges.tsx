import type { ErrorStatus } from "../rules";
import type { TrackedError } from "../service";

/**
 * The style of the badge for each severity level. Badges of more severe levels are more noticeable. The badge
 * also shows the level as a word, because some users cannot distinguish the colors.
 */
const LOOKS: Readonly<Record<TrackedError["level"], string>> = {
  fatal: "border-danger text-danger",
  error: "border-danger text-danger",
  warning: "border-transparent bg-warning text-on-warning",
  info: "border-line text-muted",
  debug: "border-line text-muted",
};

const SHAPE = "inline-block rounded-full border px-2 text-small leading-4.5 whitespace-nowrap";

export const LevelBadge = ({ level }: { readonly level: TrackedError["level"] }) => (
  <span className={`${SHAPE} ${LOOKS[level]}`}>{level}</span>
);

export const STATUS_WORDS: Readonly<Record<ErrorStatus, string>> = {
  unresolved: "Unresolved",
  resolved: "Resolved",
  ignored: "Ignored",
};

/** A badge for an error that occurred again after it was resolved. */
export const RegressedBadge = () => (
  <span className={`${SHAPE} border-transparent bg-warning text-on-warning`}>Regressed</span>
);

export const StatusBadge = ({ status }: { readonly status: ErrorStatus }) => (
  <span
    className={`${SHAPE} ${status === "unresolved" ? "border-line text-ink" : "border-transparent bg-soft text-accent"}`}
  >
    {STATUS_WORDS[status]}
  </span>
);
