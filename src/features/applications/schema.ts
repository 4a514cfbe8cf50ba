import { z } from "zod";
import type { ApplicationDraft } from "./rules";

const text = z.string().max(120_000).catch("");

/** The registration form, as a browser sends it. Only these four fields exist; anything else is ignored. */
const applicationForm = z.object({
  name: text,
  redirect_uris: text,
  confidential: z.enum(["true", "false"]).nullable().catch(null),
  scopes: z.array(z.string().max(64)).max(64).catch([]),
});

/** Reads the form; what is missing or malformed comes out empty, for the rules to name. */
export function readApplicationForm(form: FormData): ApplicationDraft {
  const sent = applicationForm.parse({
    name: form.get("name"),
    redirect_uris: form.get("redirect_uris"),
    confidential: form.get("confidential"),
    scopes: form.getAll("scopes"),
  });
  return {
    name: sent.name,
    redirectUris: sent.redirect_uris,
    confidential: sent.confidential === null ? null : sent.confidential === "true",
    scopes: sent.scopes,
  };
}
