import { KINDS } from "@/identity/providers/catalog";
import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import type { ListedProvider } from "../loaders";

const COLUMNS: readonly Column[] = [
  { name: "Provider", width: "half" },
  { name: "Issuer", width: "third" },
  { name: "Linked accounts" },
];

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
        <span className="flex flex-wrap items-center gap-x-2 md:flex-nowrap">
          <a href={`/admin/identity_providers/${provider.name}`} className="min-w-0 font-semibold">
            <OneLine text={provider.label} />
          </a>
          {provider.enabled ? null : <Badge>disabled</Badge>}
          {provider.fromEnvironment ? <Badge>environment</Badge> : null}
          {provider.enforcedDomains.length === 0 ? null : <Badge>enforced</Badge>}
        </span>
        <span className="text-small text-muted">{KINDS[provider.kind].label}</span>
      </span>,
      <OneLine key="issuer" text={provider.issuer} className="text-small" />,
      String(provider.links),
    ],
  }));
  return <Table caption="Sign-in providers" columns={COLUMNS} rows={rows} />;
}
