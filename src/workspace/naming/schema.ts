import { z } from "zod";
import { VISIBILITIES, type Visibility } from "@/access/visibility";

/** PostgreSQL refuses U+0000 in every text. */
const text = z
  .string()
  .max(10_000)
  .transform((sent) => sent.replaceAll("\0", "").trim())
  .catch("");

/** Line ends as everybody else counts and stores them: a form sends two characters for each. */
const lines = text.transform((sent) => sent.replaceAll("\r\n", "\n"));

const form = z.object({
  name: text,
  path: text,
  description: lines,
  visibility: z.enum(VISIBILITIES).catch("private"),
  namespace: text,
  readme: text.transform((ticked) => ticked === "on"),
});

/** What somebody typed about a project or a group; what is missing or malformed comes out empty. */
export type NameDraft = Readonly<{ name: string; path: string; description: string; visibility: Visibility }>;
/** `namespace` is the id of a group; empty: the person's own name. */
export type ProjectFormDraft = NameDraft & Readonly<{ namespace: string; readme: boolean }>;

/** Reads the form for a project or a group. */
export const readProjectForm = (sent: FormData): ProjectFormDraft =>
  form.parse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, sent.get(name)])));

/** What is wrong with what somebody typed to remove a project or a group, if anything is. */
export type RemovalState = Readonly<{ problem: string | null }>;
