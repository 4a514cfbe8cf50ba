import { dayIn } from "../members/schema";
import type { DeployTokenDraft } from "./rules";

const textOf = (value: FormDataEntryValue | null): string =>
  typeof value === "string" ? value.slice(0, 1024) : "";

/** Parses the form of a deploy token. Missing and malformed fields become empty, and the validation reports them. */
export const readDeployTokenForm = (form: FormData): DeployTokenDraft => ({
  name: textOf(form.get("name")),
  username: textOf(form.get("username")),
  scopes: form.getAll("scopes").slice(0, 64).map(textOf),
  expiresAt: dayIn(textOf(form.get("expires_at")).trim()),
});
