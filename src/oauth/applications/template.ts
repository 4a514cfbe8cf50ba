import type { Scope } from "@/access/scopes";
import type { ApplicationDraft } from "./rules";

/** A common kind of application, as the form for a new one begins. */
export type Template = Readonly<{
  name: "server" | "browser" | "device" | "blank";
  draft: ApplicationDraft;
  /** What a redirect URI of this kind looks like. */
  placeholder: string;
}>;

/** Enough to sign somebody in. */
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
    about: "It keeps a secret.",
    draft: draft({ confidential: true, scopes: SIGN_IN }),
    placeholder: "https://app.example.com/auth/callback",
  },
  {
    name: "browser",
    label: "Single-page or mobile app",
    about: "Runs on the person's device. PKCE, no secret.",
    draft: draft({ confidential: false, requiresPkce: true, scopes: SIGN_IN }),
    placeholder: "https://app.example.com/callback\ncom.example.app:/callback",
  },
  {
    name: "device",
    label: "Command line or device",
    about: "Opens a browser or shows a code. No secret.",
    draft: draft({
      confidential: false,
      requiresPkce: true,
      redirectUris: "http://127.0.0.1/callback",
      scopes: ["read_user"],
    }),
    placeholder: "http://127.0.0.1/callback",
  },
];

/** The template that an address names; a blank form for anything else. */
export const templateNamed = (name: string | readonly string[] | undefined): Template =>
  TEMPLATES.find((template) => template.name === name) ?? BLANK;
