import { KINDS } from "@/identity/providers/catalog";
import type { Provider } from "@/identity/providers/rules";
import { Fact, Facts } from "@/ui/card";

const yes = (value: boolean): string => (value ? "Yes" : "No");
const listed = (domains: readonly string[], empty: string): string =>
  domains.length === 0 ? empty : domains.join(", ");

/** Lists the settings of a sign-in provider that environment variables define. */
export function ProviderFacts({ provider }: { readonly provider: Provider }) {
  return (
    <Facts>
      <Fact name="Kind">{KINDS[provider.kind].label}</Fact>
      <Fact name="Issuer">{provider.issuer}</Fact>
      <Fact name="Client ID">{provider.clientId}</Fact>
      <Fact name="Creates accounts">{yes(provider.createsAccounts)}</Fact>
      <Fact name="Links by e-mail">{yes(provider.linksByEmail)}</Fact>
      <Fact name="Trusts e-mails">{yes(provider.trustsEmails)}</Fact>
      <Fact name="Domains">{listed(provider.allowedDomains, "All")}</Fact>
      <Fact name="Enforced domains">{listed(provider.enforcedDomains, "None")}</Fact>
      <Fact name="Group rules">{listed(provider.groupRules, "None")}</Fact>
    </Facts>
  );
}
