import { dayIn } from "../members/schema";
import type { DeployTokenDraft } from "./rules";

const textOf = (value: FormDataEntryValue | null): string =>
  typeof value === "string" ? value.slice(0, 1024) : "";

/**
 * Parses the form of a deploy token. A missing or malformed field is read as an empty string, which the
 * validation reports as an error.
 */
export const readDeployTokenForm = (form: FormData): DeployTokenDraft => ({
  name: textOf(form.get("name")),
  username: textOf(form.get("username")),
  scopes: form.getAll("scopes").slice(0, 64).map(textOf),
  expiresAt: dayIn(textOf(form.get("expires_at")).trim()),
});
