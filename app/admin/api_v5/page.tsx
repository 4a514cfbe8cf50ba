import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { UseTable } from "@/operations/deprecated-uses/components/use-table";
import { loadInstanceUses } from "@/operations/deprecated-uses/loaders";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../or-not-found";
import { tellOfV5 } from "../../v5-notice";

export const metadata: Metadata = { title: "Deprecated API usage" };

async function InstanceUsesPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const page = await loadInstanceUses(await searchParams);
  return (
    <>
      <PageHead
        title="Deprecated API usage"
        about="Programs that use deprecated parts of API v4, by user and application, latest first."
      />
      {page.uses.length === 0 ? (
        <EmptyState title="No program needs changes for v5">
          No program has used a deprecated part of API v4.
        </EmptyState>
      ) : (
        <UseTable caption="Deprecated uses of the API" page={page} tell={tellOfV5} />
      )}
    </>
  );
}

export default orNotFound(InstanceUsesPage);
