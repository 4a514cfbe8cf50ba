import type { FieldErrors } from "@/workspace/naming/path";
import { fieldErrorsOf } from "@/workspace/naming/path";

/** The kinds of runners: runners of the instance, of a group with its descendants, or of single projects. */
export const RUNNER_KINDS = ["instance_type", "group_type", "project_type"] as const;
export type RunnerKind = (typeof RUNNER_KINDS)[number];

/** The access levels of a runner: the runner accepts jobs of all branches, or only of protected branches. */
export const RUNNER_ACCESS_LEVELS = ["not_protected", "ref_protected"] as const;
export type RunnerAccessLevel = (typeof RUNNER_ACCESS_LEVELS)[number];

/**
 * The status of a runner, derived from the time of the last contact. The status does not depend on whether
 * the runner is paused.
 */
export const CONTACT_STATUSES = ["online", "offline", "not_connected"] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/**
 * The information about itself that a runner has sent to the server; a field that the runner has not sent is
 * null.
 */
export type RunnerInfo = Readonly<{
  name: string | null;
  version: string | null;
  revision: string | null;
  platform: string | null;
  architecture: string | null;
  executor: string | null;
}>;

/** Those settings of a runner that users edit. */
export type RunnerSettings = Readonly<{
  description: string;
  paused: boolean;
  locked: boolean;
  runUntagged: boolean;
  accessLevel: RunnerAccessLevel;
  /** The maximum duration of a job in seconds; null if the runner has no limit. */
  maximumTimeout: number | null;
  maintenanceNote: string | null;
}>;

export type Runner = RunnerSettings &
  RunnerInfo &
  Readonly<{
    id: number;
    kind: RunnerKind;
    /** The group of a group runner. */
    groupId: number | null;
    createdAt: Date;
    /** The time of the last contact; null if the runner has never contacted the server. */
    contactedAt: Date | null;
  }>;

const ONLINE_MS = 2 * 3_600_000;

/** Returns the start of the period in which a runner must have contacted the server to count as online. */
export const onlineSince = (now: Date): Date => new Date(now.getTime() - ONLINE_MS);

export function contactStatus(contactedAt: Date | null, now: Date): ContactStatus {
  if (contactedAt === null) return "not_connected";
  return contactedAt > onlineSince(now) ? "online" : "offline";
}

/**
 * The minimum interval between two stored contacts of a runner. Most contacts are not stored: a runner
 * requests jobs every few seconds, but the status of the runner changes only after hours without a contact.
 */
const CONTACT_WRITTEN_EVERY_MS = 60_000;

/**
 * Returns a time: if the last stored contact of a runner is later than this time, a new contact need not be
 * stored.
 */
export const recentContactSince = (now: Date): Date => new Date(now.getTime() - CONTACT_WRITTEN_EVERY_MS);

/**
 * Returns whether a contact must be stored. A contact is stored if the last stored contact is too old, or if
 * the information about the runner has changed.
 */
export function isContactOutdated(
  before: RunnerInfo & Pick<Runner, "contactedAt">,
  info: Partial<RunnerInfo>,
  now: Date,
) {
  if (before.contactedAt === null || before.contactedAt <= recentContactSince(now)) return true;
  return Object.entries(info).some(([key, value]) => before[key as keyof RunnerInfo] !== value);
}

const TAGS_MAX = 50;
const TAG_CHARACTERS_MAX = 255;
const TIMEOUT_SECONDS_MIN = 600;
const TEXT_CHARACTERS_MAX = 1_024;

/** Trims tags and removes duplicates and empty tags. */
export const distinctTags = (tags: readonly string[]): readonly string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== "")),
];

const tooLong = (text: string | null): string | null =>
  (text ?? "").length > TEXT_CHARACTERS_MAX
    ? `is too long (maximum is ${TEXT_CHARACTERS_MAX} characters)`
    : null;

/**
 * Returns the errors in the settings and tags of a runner, with the API field as key; null if the settings
 * and tags are valid.
 */
export function runnerProblems(settings: RunnerSettings, tags: readonly string[]): FieldErrors | null {
  const { description, maintenanceNote, maximumTimeout, runUntagged } = settings;
  return fieldErrorsOf({
    description: tooLong(description),
    maintenance_note: tooLong(maintenanceNote),
    maximum_timeout:
      maximumTimeout !== null && maximumTimeout < TIMEOUT_SECONDS_MIN
        ? "needs to be at least 10 minutes"
        : null,
    tags_list: tagsProblem(tags, runUntagged),
  });
}

function tagsProblem(tags: readonly string[], runUntagged: boolean): string | null {
  if (tags.length > TAGS_MAX)
    return `Too many tags specified. Please limit the number of tags to ${TAGS_MAX}`;
  if (tags.some((tag) => tag.length > TAG_CHARACTERS_MAX))
    return `have one that is too long (maximum is ${TAG_CHARACTERS_MAX} characters)`;
  return tags.length === 0 && !runUntagged
    ? "can not be empty when runner is not allowed to pick untagged jobs"
    : null;
}
