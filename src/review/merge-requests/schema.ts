import { z } from "zod";
import { type Query, textOf } from "@/kernel/paging/keyset";

/** The filter of a list of merge requests, as its URL has it. */
export type MergeRequestsSearch = Readonly<{ state: ShownState; search: string }>;

export const SHOWN_STATES = ["opened", "merged", "closed", "all"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

const SEARCH_CHARACTERS_MAX = 100;

/** Reads the filter from a query; missing and unknown values are the defaults. */
export const readSearch = (query: Query): MergeRequestsSearch => ({
  state: SHOWN_STATES.find((one) => one === textOf(query, "state")) ?? "opened",
  search: textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX),
});

/** The query of a filter, without defaults. */
export const parametersOf = ({ state, search }: MergeRequestsSearch) => ({
  state: state === "opened" ? "" : state,
  search,
});

/** The form refuses longer texts. */
export const TITLE_CHARACTERS_MAX = 255;
export const DESCRIPTION_CHARACTERS_MAX = 200_000;

/** PostgreSQL refuses U+0000 in every text; a form sends two characters for each end of a line. */
const typed = z
  .string()
  .transform((sent) => sent.replaceAll("\0", "").replaceAll("\r\n", "\n").trim())
  .catch("");

/** No name of a branch is longer. */
const branch = typed.pipe(z.string().max(255)).catch("");

const ticked = z
  .literal("on")
  .transform(() => true)
  .catch(false);

const form = z.object({
  source: branch,
  target: branch,
  title: typed,
  description: typed,
  squash: ticked,
  removesSource: ticked,
});

/** The fields of the form of a merge request; missing and malformed values are empty. */
export type MergeRequestFormDraft = z.infer<typeof form>;

export const readMergeRequestForm = (sent: FormData): MergeRequestFormDraft =>
  form.parse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, sent.get(name)])));

/** The buttons of a merge request. */
export const STEPS = [
  "approve",
  "unapprove",
  "merge",
  "wait",
  "stop",
  "rebase",
  "ready",
  "close",
  "reopen",
] as const;
export type Step = (typeof STEPS)[number];

const step = z.object({
  step: z.enum(STEPS).nullable().catch(null),
  /** The head that the page has shown. */
  sha: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional()
    .catch(undefined),
  password: z.string().min(1).max(1_024).optional().catch(undefined),
  squash: ticked,
  removesSource: ticked,
});

export const readStep = (sent: FormData): z.infer<typeof step> =>
  step.parse(Object.fromEntries(Object.keys(step.shape).map((name) => [name, sent.get(name)])));
