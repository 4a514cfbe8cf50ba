import { z } from "zod";

/** The kinds of external identity providers with which users can sign in. */
export const PROVIDER_KINDS = ["openid_connect", "github", "gitlab", "google", "microsoft"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** The settings of an external identity provider. The settings for domains and group rules are lists. */
export type ProviderSettings = Readonly<{
  /** The name of the identity provider in URLs. */
  name: string;
  /** The name of the identity provider on buttons. */
  label: string;
  kind: ProviderKind;
  /** The issuer (OpenID Connect), or the URL of GitHub. */
  issuer: string;
  clientId: string;
  /** Whether an account is created when a user without an account signs in for the first time. */
  createsAccounts: boolean;
  /** Whether a sign-in links an existing account that has the same verified e-mail address. */
  linksByEmail: boolean;
  /** Whether an e-mail address counts as verified although the provider sends no `email_verified`. */
  trustsEmails: boolean;
  /** The domains of accepted e-mail addresses; empty for all domains. */
  allowedDomains: readonly string[];
  /** The domains of e-mail addresses whose users can sign in only with this identity provider. */
  enforcedDomains: readonly string[];
  /** The claim with the groups of a user; empty without group mapping. */
  groupsClaim: string;
  /** The lines of the group mapping: `value = group/path : role`. */
  groupRules: readonly string[];
}>;

/** An external identity provider that environment variables define. */
export type ConfiguredProvider = ProviderSettings & Readonly<{ clientSecret: string }>;

const PRESETS = {
  GITHUB: { kind: "github", label: "GitHub", issuer: "https://github.com" },
  GITLAB: { kind: "gitlab", label: "GitLab", issuer: "https://gitlab.com" },
  GOOGLE: { kind: "google", label: "Google", issuer: "https://accounts.google.com" },
  MICROSOFT: { kind: "microsoft", label: "Microsoft", issuer: null },
} as const satisfies Record<string, { kind: ProviderKind; label: string; issuer: string | null }>;

/** Returns the issuer of a Microsoft tenant. */
export const microsoftIssuer = (tenant: string): string =>
  `https://login.microsoftonline.com/${tenant.toLowerCase()}/v2.0`;

/**
 * Returns whether a tenant ID names a single tenant. The function refuses tenants that several organizations
 * share, because one organization could send tokens with the e-mail addresses of another organization.
 */
export const isSingleTenant = (tenant: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(tenant);

export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
export const DOMAIN =
  /^(?=.{1,253}$)[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;
/** A claim value may contain `=`, so the last `=` separates the value from the group. */
export const GROUP_RULE =
  /^(?<value>.+\S|\S)\s*=\s*(?<group>[\w.-]+(?:\/[\w.-]+)*)\s*:\s*(?<role>guest|reporter|developer|maintainer|owner)$/;

/** Returns the reason why a URL cannot be the issuer of a provider; null if the URL is valid. */
export function issuerProblem(text: string, allowsHttp: boolean): string | null {
  if (text.length > 1024 || !URL.canParse(text)) return "must be a URL such as https://id.example.com";
  const { protocol, hostname, pathname, username, password, search, hash } = new URL(text);
  if (username + password + search + hash !== "" || /[?#]/.test(text))
    return "must not contain credentials, a query or a fragment";
  const isLocal = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  if (hostname === "login.microsoftonline.com" && !isSingleTenant(pathname.split("/")[1] ?? ""))
    return "must contain the ID of one tenant";
  if (protocol === "https:" || (protocol === "http:" && (isLocal || allowsHttp))) return null;
  return "must begin with https://";
}

const words = (text: string): readonly string[] =>
  [...new Set(text.toLowerCase().split(/[\s,]+/))].filter((word) => word !== "");

const lines = (text: string): readonly string[] =>
  text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const toggle = z.enum(["true", "false"], "must be true or false").transform((value) => value === "true");
const domains = z
  .string()
  .default("")
  .transform(words)
  .refine((list) => list.every((domain) => DOMAIN.test(domain)), "must be domains such as example.com");

const variables = z.object({
  ISSUER: z.string().optional(),
  CLIENT_ID: z.string("is missing").min(1).max(255),
  CLIENT_SECRET: z.string("is missing").min(1).max(1024),
  TENANT_ID: z
    .string()
    .refine(isSingleTenant, "must be the ID of a tenant, 32 hexadecimal digits with dashes")
    .optional(),
  LABEL: z.string().min(1).max(40).optional(),
  CREATE_ACCOUNTS: toggle.default(false),
  LINK_BY_EMAIL: toggle.default(false),
  TRUST_EMAILS: toggle.default(false),
  ALLOWED_DOMAINS: domains,
  ENFORCED_DOMAINS: domains,
  GROUPS_CLAIM: z.string().max(255).default(""),
  GROUP_RULES: z
    .string()
    .default("")
    .transform(lines)
    .refine(
      (list) => list.every((line) => GROUP_RULE.test(line)),
      "must be rules such as staff = team/dev : developer",
    ),
});

const VARIABLE = new RegExp(
  `^(?<prefix>OIDC_[A-Z0-9_]+?|${Object.keys(PRESETS).join("|")})_(?<suffix>${Object.keys(variables.shape).join("|")})$`,
);

const isPreset = (prefix: string): prefix is keyof typeof PRESETS => Object.hasOwn(PRESETS, prefix);

/**
 * Returns the providers that environment variables define: `OIDC_<NAME>_…` for OpenID Connect providers, and `GITHUB_…`,
 * `GITLAB_…`, `GOOGLE_…` and `MICROSOFT_…` for the presets.
 * @param allowsHttp whether an issuer on another host may use http.
 * @throws an Error whose message names each invalid variable and the reason.
 */
export function configuredProviders(
  env: Readonly<Record<string, string | undefined>>,
  allowsHttp: boolean,
): readonly ConfiguredProvider[] {
  const byPrefix = new Map<string, Record<string, string>>();
  for (const [name, value] of Object.entries(env)) {
    const { prefix, suffix } = VARIABLE.exec(name)?.groups ?? {};
    if (prefix === undefined || suffix === undefined || value === undefined || value === "") continue;
    byPrefix.set(prefix, { ...byPrefix.get(prefix), [suffix]: value });
  }
  // A provider is configured if its client ID or client secret is set. Variables without a client ID and a
  // client secret, such as GITLAB_ISSUER, may belong to other programs.
  const outcomes = [...byPrefix]
    .filter(([prefix, given]) => !isPreset(prefix) || "CLIENT_ID" in given || "CLIENT_SECRET" in given)
    .map(([prefix, given]) => providerOf(prefix, given, allowsHttp));
  const problems = outcomes.flatMap((outcome) => ("problems" in outcome ? outcome.problems : []));
  if (problems.length > 0)
    throw new Error(
      `The environment variables are invalid:\n${problems.map((line) => `  ${line}`).join("\n")}`,
    );
  return outcomes.flatMap((outcome) => ("problems" in outcome ? [] : [outcome]));
}

function providerOf(
  prefix: string,
  given: Readonly<Record<string, string>>,
  allowsHttp: boolean,
): ConfiguredProvider | Readonly<{ problems: readonly string[] }> {
  const preset = isPreset(prefix) ? PRESETS[prefix] : null;
  const name = (preset === null ? prefix.slice("OIDC_".length) : prefix).toLowerCase().replaceAll("_", "-");
  const parsed = variables.safeParse(given);
  if (!parsed.success)
    return {
      problems: parsed.error.issues.map(({ path, message }) => `${prefix}_${path.join(".")} ${message}`),
    };
  const { data } = parsed;
  const issuer =
    data.TENANT_ID !== undefined && preset?.kind === "microsoft"
      ? microsoftIssuer(data.TENANT_ID)
      : (data.ISSUER ?? preset?.issuer);
  if (issuer === undefined || issuer === null)
    return { problems: [`${prefix}_${preset?.kind === "microsoft" ? "TENANT_ID" : "ISSUER"} is missing`] };
  const problem = issuerProblem(issuer, allowsHttp);
  if (problem !== null) return { problems: [`${prefix}_ISSUER ${problem}`] };
  if (!PROVIDER_NAME.test(name))
    return { problems: [`${prefix}_ISSUER contains a provider name that is too long`] };
  if (data.ENFORCED_DOMAINS.length > 0 && !data.LINK_BY_EMAIL)
    return { problems: [`${prefix}_ENFORCED_DOMAINS requires ${prefix}_LINK_BY_EMAIL=true`] };
  return {
    name,
    label: data.LABEL ?? preset?.label ?? name,
    kind: preset?.kind ?? "openid_connect",
    issuer,
    clientId: data.CLIENT_ID,
    clientSecret: data.CLIENT_SECRET,
    createsAccounts: data.CREATE_ACCOUNTS,
    linksByEmail: data.LINK_BY_EMAIL,
    trustsEmails: data.TRUST_EMAILS,
    allowedDomains: data.ALLOWED_DOMAINS,
    enforcedDomains: data.ENFORCED_DOMAINS,
    groupsClaim: data.GROUPS_CLAIM,
    groupRules: data.GROUP_RULES,
  };
}
