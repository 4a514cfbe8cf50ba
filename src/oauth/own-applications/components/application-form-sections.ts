import type { Section } from "@/ui/section-nav";

/** The sections of the application form, in the order of the form. */
export const APPLICATION_FORM_SECTIONS: readonly Section[] = [
  { id: "section-name", label: "Name" },
  { id: "section-redirect-uris", label: "Redirect URIs" },
  { id: "section-client-type", label: "Client type" },
  { id: "section-scopes", label: "Scopes" },
  { id: "section-options", label: "Options" },
  { id: "section-advanced", label: "Advanced" },
];

/** The section of the logo, which precedes the form of an existing application. */
export const LOGO_SECTION: Section = { id: "section-logo", label: "Logo" };
