import { z } from "zod";
import { type ApplicationDraft, LOGO_BYTES_MAX } from "./rules";

const text = z.string().max(120_000).catch("");

/** The registration form, as a browser sends it. Only these fields exist; anything else is ignored. */
const applicationForm = z.object({
  name: text,
  redirect_uris: text,
  confidential: z.enum(["true", "false"]).nullable().catch(null),
  scopes: z.array(z.string().max(64)).max(64).catch([]),
  requires_pkce: z.literal("true").nullable().catch(null),
  allows_password: z.literal("true").nullable().catch(null),
  revokes_uncovered: z.literal("true").nullable().catch(null),
});

/** Reads the form; what is missing or malformed comes out empty, for the rules to name. */
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

/** The id in a field; 0, which nothing has, for anything else. */
export const readId = (form: FormData, name: string): number => idFrom(form.get(name));

/** The same for a part of an address. */
export function idFrom(value: unknown): number {
  return typeof value === "string" && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0;
}

/** The picture of the form for a logo; empty when there is none, and never more than is worth looking at. */
export async function readLogo(form: FormData): Promise<Uint8Array> {
  const file = form.get("logo");
  return file instanceof Blob
    ? new Uint8Array(await file.slice(0, LOGO_BYTES_MAX + 1).arrayBuffer())
    : new Uint8Array();
}
