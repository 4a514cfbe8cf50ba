import { z } from "zod";
import { VISIBILITIES, type Visibility } from "@/access/visibility";

/** U+0000 is removed, because PostgreSQL refuses this character in text. */
const text = z
  .string()
  .max(10_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

/** Multi-line text. Browsers submit the line breaks of forms as CRLF, which is converted to LF. */
const lines = text.transform((value) => value.replaceAll("\r\n", "\n"));

const form = z.object({
  name: text,
  path: text,
  description: lines,
  visibility: z.enum(VISIBILITIES).catch("private"),
  namespace: text,
  readme: text.transform((value) => value === "on"),
});

/**
 * The values of the form that creates or edits a project or a group. Missing and invalid values are empty.
 */
export type NameDraft = Readonly<{ name: string; path: string; description: string; visibility: Visibility }>;
/** The values of the form for a new project. `namespace` is the id of a group; empty for the namespace of the user. */
export type ProjectFormDraft = NameDraft & Readonly<{ namespace: string; readme: boolean }>;

/** Parses the form for a project or a group. */
export const readProjectForm = (formData: FormData): ProjectFormDraft =>
  form.parse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, formData.get(name)])));

/** The state of the form that deletes a project or a group: the error text, or null. */
export type RemovalState = Readonly<{ problem: string | null }>;
