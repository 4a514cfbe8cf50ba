import type { PersonalTokenDraft } from "./rules";

const textOf = (value: FormDataEntryValue | null): string =>
  typeof value === "string" ? value.slice(0, 1024) : "";

/** A day as a date field sends it; null for an empty one. */
export const readExpiry = (form: FormData): string | null => textOf(form.get("expires_at")).trim() || null;

/** Reads the form; what is missing or malformed comes out empty, for the rules to name. */
export const readPersonalTokenForm = (form: FormData): PersonalTokenDraft => ({
  name: textOf(form.get("name")),
  scopes: form.getAll("scopes").slice(0, 64).map(textOf),
  expiresAt: readExpiry(form),
});
