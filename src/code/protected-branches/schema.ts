import { z } from "zod";
import { ACCESS_LEVELS, type AccessLevel } from "./rules";

/** U+0000 is removed, because PostgreSQL rejects this character in text. */
const text = z
  .string()
  .max(1_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

const level = z
  .string()
  .transform((value) => ACCESS_LEVELS.find((accessLevel) => String(accessLevel) === value))
  .catch(undefined)
  .transform((accessLevel): AccessLevel => accessLevel ?? 40);

const form = z.object({
  name: text,
  pushAccessLevel: level,
  mergeAccessLevel: level,
  allowForcePush: text.transform((value) => value === "on"),
});

/** The submitted values of the branch protection form. By default, maintainers have access. */
export type ProtectionDraft = z.infer<typeof form>;

export const readProtectionForm = (data: FormData): ProtectionDraft =>
  form.parse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, data.get(name)])));

/** Returns the name of the branch protection rule from a hidden form field. */
export const readRuleName = (data: FormData): string => text.parse(data.get("name"));
