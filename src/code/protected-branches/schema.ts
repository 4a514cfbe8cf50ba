import { z } from "zod";
import { ACCESS_LEVELS, type AccessLevel } from "./rules";

/** PostgreSQL refuses U+0000 in every text. */
const text = z
  .string()
  .max(1_000)
  .transform((sent) => sent.replaceAll("\0", "").trim())
  .catch("");

const level = z
  .string()
  .transform((sent) => ACCESS_LEVELS.find((one) => String(one) === sent))
  .catch(undefined)
  .transform((found): AccessLevel => found ?? 40);

const form = z.object({
  name: text,
  pushAccessLevel: level,
  mergeAccessLevel: level,
  allowForcePush: text.transform((ticked) => ticked === "on"),
});

/** A protected branch as the form sends it; a missing access level is that of maintainers. */
export type ProtectionDraft = z.infer<typeof form>;

export const readProtectionForm = (sent: FormData): ProtectionDraft =>
  form.parse(Object.fromEntries(Object.keys(form.shape).map((name) => [name, sent.get(name)])));

/** The name of the rule in a hidden field. */
export const readRuleName = (sent: FormData): string => text.parse(sent.get("name"));
