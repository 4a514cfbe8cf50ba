import type { Metadata } from "next";
import type { Query } from "@/kernel/paging/keyset";
import { UseTable } from "@/operations/deprecated-uses/components/use-table";
import { loadInstanceUses } from "@/operations/deprecated-uses/loaders";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../or-not-found";
import { tellOfV5 } from "../../v5-notice";

export const metadata: Metadata = { title: "Ready for v5" };

async function InstanceUsesPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const page = await loadInstanceUses(await searchParams);
  return (
    <>
      <PageHead
        title="Ready for v5"
        about="Who calls v4 of the API for what v5 does not have, by person and application, the latest first."
      />
      {page.uses.length === 0 ? (
        <EmptyState title="Nobody would notice v5">No program has used what v5 leaves out.</EmptyState>
      ) : (
        <UseTable caption="Deprecated uses of the API" page={page} tell={tellOfV5} />
      )}
    </>
  );
}

export default orNotFound(InstanceUsesPage);
