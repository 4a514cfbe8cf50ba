import { z } from "zod";

const text = z
  .string()
  .max(1_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

/**
 * Returns the e-mail address in the form of an invitation; an empty string if the field is missing or
 * malformed.
 */
export const readEmail = (form: FormData): string => text.parse(form.get("email"));
