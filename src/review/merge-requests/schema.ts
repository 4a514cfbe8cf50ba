import { z } from "zod";
import { type Query, textOf } from "@/kernel/http/query";

/** The filter in the URL of a merge request list. */
export type MergeRequestsSearch = Readonly<{ state: ShownState; search: string }>;

export const SHOWN_STATES = ["opened", "merged", "closed", "all"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

const SEARCH_CHARACTERS_MAX = 100;

/**
 * Parses the filter in the query string of a merge request list. Missing and unknown values become defaults.
 */
export const readSearch = (query: Query): MergeRequestsSearch => ({
  state: SHOWN_STATES.find((state) => state === textOf(query, "state")) ?? "opened",
  search: textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX),
});

/** Returns the query parameters of a filter. A URL omits the parameter for the default state. */
export const parametersOf = ({ state, search }: MergeRequestsSearch) => ({
  state: state === "opened" ? "" : state,
  search,
});

/** The maximum length of a title in the form. */
export const TITLE_CHARACTERS_MAX = 255;
export const DESCRIPTION_CHARACTERS_MAX = 200_000;

/** Removes U+0000, which PostgreSQL refuses in text, and converts the CRLF line breaks of forms. */
const typed = z
  .string()
  .transform((text) => text.replaceAll("\0", "").replaceAll("\r\n", "\n").trim())
  .catch("");

/** The maximum length of a branch name. */
const branch = typed.pipe(z.string().max(255)).catch("");

const checkbox = z
  .literal("on")
  .transform(() => true)
  .catch(false);

const form = z.object({
  source: branch,
  target: branch,
  title: typed,
  description: typed,
  squash: checkbox,
  removesSource: checkbox,
});

/**
 * The values of the form for a new merge request. For a missing or invalid form field, the value is an empty
 * text.
 */
export type MergeRequestFormDraft = z.infer<typeof form>;

export const readMergeRequestForm = (formData: FormData): MergeRequestFormDraft =>
  form.parse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, formData.get(name)])));

const edit = z.object({ title: typed, description: typed, version: z.string().max(64).catch("") });

/**
 * Parses the form for the title and the description. For a missing or invalid form field, the value is an
 * empty text.
 */
export const readEditForm = (formData: FormData): z.infer<typeof edit> =>
  edit.parse(Object.fromEntries(Object.keys(edit.shape).map((name) => [name, formData.get(name)])));

/** The actions of the buttons on the page of a merge request. */
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
  /** The head commit of the merge request that the page showed when the user clicked the button. */
  sha: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional()
    .catch(undefined),
  password: z.string().min(1).max(1_024).optional().catch(undefined),
  squash: checkbox,
  removesSource: checkbox,
});

export const readStep = (formData: FormData): z.infer<typeof step> =>
  step.parse(Object.fromEntries(Object.keys(step.shape).map((name) => [name, formData.get(name)])));
