import type { Scope } from "@/access/scopes";
import type { ApplicationDraft } from "./rules";

/** A template for the registration form. */
export type Template = Readonly<{
  name: "server" | "browser" | "device" | "blank";
  draft: ApplicationDraft;
  /** The example redirect URIs that the empty field for redirect URIs shows. */
  placeholder: string;
}>;

/** The scopes of the templates for applications that only sign users in. */
const SIGN_IN: readonly Scope[] = ["openid", "profile", "email"];

const draft = (changes: Partial<ApplicationDraft>): ApplicationDraft => ({
  name: "",
  redirectUris: "",
  scopes: [],
  confidential: null,
  requiresPkce: false,
  allowsPassword: false,
  ...changes,
});

const BLANK: Template = {
  name: "blank",
  draft: draft({ allowsPassword: true }),
  placeholder: "https://app.example.com/callback",
};

export const TEMPLATES: readonly (Template & Readonly<{ label: string; about: string }>)[] = [
  {
    name: "server",
    label: "Website or service with a server",
    about: "Runs on a server that can keep a secret.",
    draft: draft({ confidential: true, scopes: SIGN_IN }),
    placeholder: "https://app.example.com/auth/callback",
  },
  {
    name: "browser",
    label: "Single-page or mobile app",
    about: "Runs on the user's device. Uses PKCE instead of a secret.",
    draft: draft({ confidential: false, requiresPkce: true, scopes: SIGN_IN }),
    placeholder: "https://app.example.com/callback\ncom.example.app:/callback",
  },
  {
    name: "device",
    label: "Command line or device",
    about: "Opens a browser or shows a code. Uses PKCE instead of a secret.",
    draft: draft({
      confidential: false,
      requiresPkce: true,
      redirectUris: "http://127.0.0.1/callback",
      scopes: ["read_user"],
    }),
    placeholder: "http://127.0.0.1/callback",
  },
];

/** Returns the template with this name, or the blank template. */
export const templateNamed = (name: string | readonly string[] | undefined): Template =>
  TEMPLATES.find((template) => template.name === name) ?? BLANK;

/**
 * Returns the values of the registration form after the user has selected a template. The function keeps each
 * value that differs from the previous template, because the user has entered this value.
 */
export function withTemplate(draft: ApplicationDraft, before: Template, after: Template): ApplicationDraft {
  const isUnchanged = (field: keyof ApplicationDraft): boolean =>
    JSON.stringify([draft[field]].flat().toSorted()) ===
      JSON.stringify([before.draft[field]].flat().toSorted()) || [draft[field]].flat().join("") === "";
  const applied = (Object.keys(after.draft) as (keyof ApplicationDraft)[]).filter(isUnchanged);
  return { ...draft, ...Object.fromEntries(applied.map((field) => [field, after.draft[field]])) };
}
