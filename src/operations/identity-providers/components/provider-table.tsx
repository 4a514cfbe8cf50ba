import { KINDS } from "@/identity/providers/catalog";
import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { Table } from "@/ui/table";
import type { ListedProvider } from "../loaders";

const COLUMNS = [{ name: "Provider" }, { name: "Issuer" }, { name: "Linked accounts" }];

/** The list of sign-in providers. */
export function ProviderTable({ providers }: { readonly providers: readonly ListedProvider[] }) {
  if (providers.length === 0)
    return (
      <EmptyState title="There are no sign-in providers yet">
        With a provider, users sign in with an account that they already have, for example at GitHub or at the
        identity provider of your company.
      </EmptyState>
    );
  const rows = providers.map((provider) => ({
    key: provider.name,
    cells: [
      <span key="provider" className="grid min-w-0 gap-1 md:gap-0">
        <span>
          <a href={`/admin/identity_providers/${provider.name}`} className="font-semibold">
            <bdi className="wrap-anywhere">{provider.label}</bdi>
          </a>{" "}
          {provider.enabled ? null : <Badge>disabled</Badge>}{" "}
          {provider.fromEnvironment ? <Badge>environment</Badge> : null}{" "}
          {provider.enforcedDomains.length === 0 ? null : <Badge>enforced</Badge>}
        </span>
        <span className="text-small text-muted">{KINDS[provider.kind].label}</span>
      </span>,
      <span key="issuer" className="min-w-0 text-small wrap-anywhere">
        {provider.issuer}
      </span>,
      String(provider.links),
    ],
  }));
  return <Table caption="Sign-in providers" columns={COLUMNS} rows={rows} />;
}
