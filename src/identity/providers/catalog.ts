import type { ProviderKind } from "@/kernel/config/identity-providers";

type KindDetails = Readonly<{
  label: string;
  about: string;
  /** The issuer that the form suggests; null if the administrator must enter it. */
  issuer: string | null;
  /** The page at which the administrator registers Gatehouse as a client. */
  registration: string;
}>;

/** The kinds of external identity providers that an administrator can add. */
export const KINDS: Readonly<Record<ProviderKind, KindDetails>> = {
  openid_connect: {
    label: "OpenID Connect",
    about: "Any provider with OpenID Connect, such as Keycloak, Authentik, Okta or another Gatehouse.",
    issuer: null,
    registration: "Register a confidential client with the authorization code flow at the provider.",
  },
  github: {
    label: "GitHub",
    about: "github.com, or GitHub Enterprise Server.",
    issuer: "https://github.com",
    registration: "Create an OAuth app at GitHub under Settings, Developer settings, OAuth Apps.",
  },
  gitlab: {
    label: "GitLab",
    about: "gitlab.com, or your own GitLab.",
    issuer: "https://gitlab.com",
    registration: "Create an application at GitLab with the scopes openid, profile and email.",
  },
  google: {
    label: "Google",
    about: "Google accounts and Google Workspace.",
    issuer: "https://accounts.google.com",
    registration: "Create an OAuth client of the type “Web application” in the Google Cloud console.",
  },
  microsoft: {
    label: "Microsoft",
    about: "One tenant of Microsoft Entra ID.",
    issuer: null,
    registration:
      "Register an application in the Microsoft Entra admin center, for accounts in this tenant only.",
  },
};
