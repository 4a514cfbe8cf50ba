import type { PersonalTokenDraft } from "./rules";

const textOf = (value: FormDataEntryValue | null): string =>
  typeof value === "string" ? value.slice(0, 1024) : "";

/** Returns the value of the field for the expiration date; null for an empty field. */
export const readExpiry = (form: FormData): string | null => textOf(form.get("expires_at")).trim() || null;

/**
 * Parses the token form. Missing and malformed fields of the form are read as empty values, and the
 * validation reports these fields.
 */
export const readPersonalTokenForm = (form: FormData): PersonalTokenDraft => ({
  name: textOf(form.get("name")),
  scopes: form.getAll("scopes").slice(0, 64).map(textOf),
  expiresAt: readExpiry(form),
});
