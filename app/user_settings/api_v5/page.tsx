import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { UseTable } from "@/operations/deprecated-uses/components/use-table";
import { loadOwnUses, type UsesPage } from "@/operations/deprecated-uses/loaders";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { tellOfV5 } from "../../v5-notice";

export const metadata: Metadata = { title: "Deprecated API usage" };

export default async function OwnUsesPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { own, applications } = await loadOwnUses(await searchParams);
  return (
    <>
      <PageHead
        title="Deprecated API usage"
        about="Deprecated parts of API v4 that your programs use and that API v5 does not have."
      />
      <Part title="Your tokens" page={own} />
      <Part title="Your applications" page={applications} />
    </>
  );
}

const Part = ({ title, page }: { readonly title: string; readonly page: UsesPage }) => (
  <section className="grid min-w-0 gap-4" aria-label={title}>
    <h2 className="text-heading font-semibold">{title}</h2>
    {page.uses.length === 0 ? (
      <EmptyState title="No deprecated parts used">
        Your programs have not used a deprecated part of API v4.
      </EmptyState>
    ) : (
      <UseTable caption={title} page={page} tell={tellOfV5} />
    )}
  </section>
);
