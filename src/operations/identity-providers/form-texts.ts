import type { ProviderDraft } from "./schema";

/** The texts of the form for a sign-in provider that depend on the kind of the provider, or that are long. */
export type ProviderFormTexts = Readonly<{
  /** The label and the hint of the field for the issuer; undefined if the kind has a fixed issuer. */
  issuer: Readonly<{ label: string; hint: string }> | undefined;
  groupRulesHint: string;
}>;

const ISSUERS: Readonly<Partial<Record<ProviderDraft["kind"], ProviderFormTexts["issuer"]>>> = {
  openid_connect: {
    label: "Issuer",
    hint: "The URL of the provider, without /.well-known/openid-configuration.",
  },
  github: { label: "URL of GitHub", hint: "Change this URL only for GitHub Enterprise Server." },
  gitlab: { label: "URL of GitLab", hint: "Change this URL only for your own GitLab instance." },
  microsoft: {
    label: "Tenant ID",
    hint: "The directory ID of the tenant, 32 hexadecimal digits with dashes.",
  },
};

const GROUP_RULES_HINT =
  "One rule per line: a value of the groups claim, a group of this server, and a role. For example: staff = team/dev : developer. At each sign-in, the user's memberships are updated: memberships that the rules require are added, and memberships that the rules no longer require are removed. Other memberships stay unchanged. A change of the rules takes effect for each user at the next sign-in. Deleting the provider removes the memberships that the rules have added.";

/**
 * Returns the texts that the server passes to the form for a sign-in provider. If the script of the form contained the
 * texts, the script would exceed the size limit.
 */
export const providerFormTexts = (kind: ProviderDraft["kind"]): ProviderFormTexts => ({
  issuer: ISSUERS[kind],
  groupRulesHint: GROUP_RULES_HINT,
});
