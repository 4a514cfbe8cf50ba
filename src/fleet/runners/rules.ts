import type { FieldErrors } from "@/workspace/naming/path";
import { fieldErrorsOf } from "@/workspace/naming/path";

/** For whom a runner works: for everybody, for all below a group, or for single projects. */
export const RUNNER_KINDS = ["instance_type", "group_type", "project_type"] as const;
export type RunnerKind = (typeof RUNNER_KINDS)[number];

/** Whether a runner takes jobs of every branch, or of protected ones alone. */
export const RUNNER_ACCESS_LEVELS = ["not_protected", "ref_protected"] as const;
export type RunnerAccessLevel = (typeof RUNNER_ACCESS_LEVELS)[number];

/** When a runner last called, in a word. Whether it is paused is another question. */
export const CONTACT_STATUSES = ["online", "offline", "not_connected"] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** What a runner said of itself when it last called; null: nothing. */
export type RunnerInfo = Readonly<{
  name: string | null;
  version: string | null;
  revision: string | null;
  platform: string | null;
  architecture: string | null;
  executor: string | null;
}>;

/** What people say of a runner. */
export type RunnerSettings = Readonly<{
  description: string;
  paused: boolean;
  locked: boolean;
  runUntagged: boolean;
  accessLevel: RunnerAccessLevel;
  /** In seconds; null: no limit of its own. */
  maximumTimeout: number | null;
  maintenanceNote: string | null;
}>;

export type Runner = RunnerSettings &
  RunnerInfo &
  Readonly<{
    id: number;
    kind: RunnerKind;
    /** Of a runner of a group. */
    groupId: number | null;
    createdAt: Date;
    /** Null: never. */
    contactedAt: Date | null;
  }>;

const ONLINE_MS = 2 * 3_600_000;

/** Runners that called after this moment are online. */
export const onlineSince = (now: Date): Date => new Date(now.getTime() - ONLINE_MS);

export function contactStatus(contactedAt: Date | null, now: Date): ContactStatus {
  if (contactedAt === null) return "not_connected";
  return contactedAt > onlineSince(now) ? "online" : "offline";
}

/** A runner asks for jobs every few seconds; its status is in hours. */
const CONTACT_WRITTEN_EVERY_MS = 60_000;

/** A contact that was written down after this moment is recent enough. */
export const recentContactSince = (now: Date): Date => new Date(now.getTime() - CONTACT_WRITTEN_EVERY_MS);

/** Whether a call is worth writing down: the last one was a while ago, or the runner is another one by now. */
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

/** Each tag once, as it counts. */
export const distinctTags = (tags: readonly string[]): readonly string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== "")),
];

const tooLong = (text: string | null): string | null =>
  (text ?? "").length > TEXT_CHARACTERS_MAX
    ? `is too long (maximum is ${TEXT_CHARACTERS_MAX} characters)`
    : null;

/** What is not acceptable of a runner as it would be, by the fields of the API; null: nothing. */
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
