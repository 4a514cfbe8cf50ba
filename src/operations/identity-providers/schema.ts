import { KINDS } from "@/identity/providers/catalog";
import type { Provider } from "@/identity/providers/rules";
import {
  DOMAIN,
  GROUP_RULE,
  isSingleTenant,
  issuerProblem,
  microsoftIssuer,
  PROVIDER_KINDS,
  PROVIDER_NAME,
  type ProviderKind,
} from "@/kernel/config/identity-providers";

/** The submitted values of the form of a sign-in provider, without the client secret. */
export type ProviderDraft = Readonly<
  Record<
    | "name"
    | "label"
    | "issuer"
    | "clientId"
    | "allowedDomains"
    | "enforcedDomains"
    | "groupsClaim"
    | "groupRules",
    string
  > &
    Record<"enabled" | "createsAccounts" | "linksByEmail" | "trustsEmails", boolean> & { kind: ProviderKind }
>;

/** The field errors of the provider form; each field error is a sentence. */
export type ProviderProblems = Readonly<Partial<Record<keyof ProviderDraft | "clientSecret", string>>>;

export const isKind = (text: unknown): text is ProviderKind => PROVIDER_KINDS.some((kind) => kind === text);

/** Returns the values of an empty provider form. */
export const newDraft = (kind: ProviderKind): ProviderDraft => ({
  kind,
  name: kind === "openid_connect" ? "" : kind,
  label: kind === "openid_connect" ? "" : KINDS[kind].label,
  issuer: KINDS[kind].issuer ?? "",
  clientId: "",
  enabled: true,
  createsAccounts: false,
  linksByEmail: false,
  trustsEmails: kind === "microsoft",
  allowedDomains: "",
  enforcedDomains: "",
  groupsClaim: "",
  groupRules: "",
});

const TENANT = /^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0$/;

/**
 * Returns the form values of a stored sign-in provider. For Microsoft, the form shows the tenant instead of
 * the issuer.
 */
export const draftOf = (provider: Provider): ProviderDraft => ({
  ...provider,
  issuer: provider.kind === "microsoft" ? (TENANT.exec(provider.issuer)?.[1] ?? "") : provider.issuer,
  allowedDomains: provider.allowedDomains.join(" "),
  enforcedDomains: provider.enforcedDomains.join(" "),
  groupRules: provider.groupRules.join("\n"),
});

const textIn = (form: FormData, name: string, most = 1_024): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, most) : "";
};

/**
 * Parses the form of a sign-in provider. The client secret is returned separately from the values that the
 * form shows again.
 */
export function readProviderForm(form: FormData): Readonly<{ draft: ProviderDraft; clientSecret: string }> {
  const kind = textIn(form, "kind");
  const checked = (name: string): boolean => form.get(name) === "true";
  const draft = {
    kind: isKind(kind) ? kind : "openid_connect",
    name: textIn(form, "name").toLowerCase(),
    label: textIn(form, "label"),
    issuer: textIn(form, "issuer"),
    clientId: textIn(form, "client_id"),
    enabled: checked("enabled"),
    createsAccounts: checked("creates_accounts"),
    linksByEmail: checked("links_by_email"),
    trustsEmails: checked("trusts_emails"),
    allowedDomains: textIn(form, "allowed_domains", 10_000),
    enforcedDomains: textIn(form, "enforced_domains", 10_000),
    groupsClaim: textIn(form, "groups_claim"),
    groupRules: textIn(form, "group_rules", 20_000),
  } as const;
  return { draft, clientSecret: textIn(form, "client_secret") };
}

const LABEL_CHARACTERS_MAX = 40;
const CLIENT_ID_CHARACTERS_MAX = 255;

const wordsIn = (text: string): readonly string[] =>
  [...new Set(text.toLowerCase().split(/[\s,]+/))].filter((word) => word !== "");

const linesIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const issuerOf = ({ kind, issuer }: ProviderDraft): string =>
  kind === "microsoft"
    ? microsoftIssuer(issuer)
    : ((kind === "google" ? KINDS.google.issuer : issuer) ?? issuer);

const domainsProblem = (domains: readonly string[]): string | undefined => {
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  return wrong === undefined ? undefined : `${wrong} is not a domain such as example.com.`;
};

/**
 * Returns the provider settings that the submitted form contains, or the field errors of the form.
 * @param allowsHttp whether the URL of the issuer may use http, also for hosts that are not loopback.
 */
export function settingsIn(
  draft: ProviderDraft,
  allowsHttp: boolean,
): Omit<Provider, "fromEnvironment"> | Readonly<{ problems: ProviderProblems }> {
  const allowedDomains = wordsIn(draft.allowedDomains);
  const enforcedDomains = wordsIn(draft.enforcedDomains);
  const groupRules = linesIn(draft.groupRules);
  const settings = { ...draft, issuer: issuerOf(draft), allowedDomains, enforcedDomains, groupRules };
  const wrongRule = groupRules.find((line) => !GROUP_RULE.test(line));
  const problems: Readonly<Record<string, string | undefined>> = {
    name: PROVIDER_NAME.test(draft.name)
      ? undefined
      : "Use 1 to 32 lower-case letters, digits and dashes, for example my-company.",
    label:
      draft.label === "" || draft.label.length > LABEL_CHARACTERS_MAX
        ? `Enter a label with at most ${LABEL_CHARACTERS_MAX} characters.`
        : undefined,
    issuer: issuerProblemOf(draft, settings.issuer, allowsHttp),
    clientId:
      draft.clientId === "" || draft.clientId.length > CLIENT_ID_CHARACTERS_MAX
        ? "Enter the client ID that the provider shows."
        : undefined,
    linksByEmail:
      enforcedDomains.length > 0 && !draft.linksByEmail
        ? "Select “Link existing accounts by e-mail address” if you enforce domains. Otherwise, existing users in these domains cannot sign in."
        : undefined,
    allowedDomains: domainsProblem(allowedDomains),
    enforcedDomains: domainsProblem(enforcedDomains),
    groupRules:
      wrongRule === undefined
        ? undefined
        : `The line “${wrongRule.slice(0, 100)}” is not a rule such as staff = team/dev : developer.`,
    groupsClaim:
      groupRules.length > 0 && draft.groupsClaim === ""
        ? "Enter the claim that contains the groups."
        : undefined,
  };
  const wrong = Object.entries(problems).filter(([, text]) => text !== undefined);
  return wrong.length === 0 ? settings : { problems: Object.fromEntries(wrong) };
}

function issuerProblemOf(
  { kind, issuer: entered }: ProviderDraft,
  issuer: string,
  allowsHttp: boolean,
): string | undefined {
  if (kind === "microsoft")
    return isSingleTenant(entered)
      ? undefined
      : "Enter the tenant ID: 32 hexadecimal digits with dashes. A provider signs in the users of one tenant.";
  const problem = issuerProblem(issuer, allowsHttp);
  return problem === null ? undefined : `The URL ${problem}.`;
}
