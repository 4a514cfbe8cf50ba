import { isRole } from "@/access/roles";
import { readPersonalTokenForm } from "@/oauth/personal-access-tokens/schema";
import type { AccessTokenDraft } from "./rules";

/**
 * Parses the form of an access token. A missing or malformed field is read as an empty string, which the
 * validation reports as an error.
 */
export function readAccessTokenForm(form: FormData): AccessTokenDraft {
  const role = form.get("role");
  return {
    ...readPersonalTokenForm(form),
    role: typeof role === "string" && isRole(role) ? role : "guest",
  };
}
