import { isRole } from "@/access/roles";
import { readPersonalTokenForm } from "@/oauth/personal-access-tokens/schema";
import type { AccessTokenDraft } from "./rules";

/** Parses the form of an access token. Missing and malformed fields become empty, and the validation reports them. */
export function readAccessTokenForm(form: FormData): AccessTokenDraft {
  const role = form.get("role");
  return {
    ...readPersonalTokenForm(form),
    role: typeof role === "string" && isRole(role) ? role : "guest",
  };
}
