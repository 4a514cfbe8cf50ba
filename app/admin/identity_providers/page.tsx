import type { Metadata } from "next";
import { ProviderTable } from "@/operations/identity-providers/components/provider-table";
import { loadProviders } from "@/operations/identity-providers/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Sign-in providers" };

export default async function IdentityProvidersPage() {
  const providers = await loadProviders();
  return (
    <>
      <PageHead
        title="Sign-in providers"
        about="Users can sign in with accounts at these providers."
        action={
          <ButtonLink kind="primary" href="/admin/identity_providers/new">
            Add provider
          </ButtonLink>
        }
      />
      <ProviderTable providers={providers} />
    </>
  );
}
