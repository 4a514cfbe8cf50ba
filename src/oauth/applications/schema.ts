import { z } from "zod";
import { type ApplicationDraft, LOGO_BYTES_MAX } from "./rules";

const text = z.string().max(120_000).catch("");

/** The registration form. Other fields are ignored. */
const applicationForm = z.object({
  name: text,
  redirect_uris: text,
  confidential: z.enum(["true", "false"]).nullable().catch(null),
  scopes: z.array(z.string().max(64)).max(64).catch([]),
  requires_pkce: z.literal("true").nullable().catch(null),
  allows_password: z.literal("true").nullable().catch(null),
  revokes_uncovered: z.literal("true").nullable().catch(null),
});

/** Reads the form. Missing and malformed fields become empty, and validation reports them. */
export function readApplicationForm(form: FormData): ApplicationDraft {
  const sent = applicationForm.parse({
    name: form.get("name"),
    redirect_uris: form.get("redirect_uris"),
    confidential: form.get("confidential"),
    scopes: form.getAll("scopes"),
    requires_pkce: form.get("requires_pkce"),
    allows_password: form.get("allows_password"),
    revokes_uncovered: form.get("revokes_uncovered"),
  });
  return {
    name: sent.name,
    redirectUris: sent.redirect_uris,
    confidential: sent.confidential === null ? null : sent.confidential === "true",
    scopes: sent.scopes,
    requiresPkce: sent.requires_pkce !== null,
    allowsPassword: sent.allows_password !== null,
    revokesUncovered: sent.revokes_uncovered !== null,
  };
}

/** Returns the id in a field, or 0, which is no id. */
export const readId = (form: FormData, name: string): number => idFrom(form.get(name));

/** Returns the id in a path segment, or 0. */
export function idFrom(value: unknown): number {
  return typeof value === "string" && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0;
}

/** Returns the uploaded picture, at most one byte longer than the limit; empty without a picture. */
export async function readLogo(form: FormData): Promise<Uint8Array> {
  const file = form.get("logo");
  return file instanceof Blob
    ? new Uint8Array(await file.slice(0, LOGO_BYTES_MAX + 1).arrayBuffer())
    : new Uint8Array();
}
