import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { HooksContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHooks } from "@/webhooks/hook-pages/loaders";

export const metadata: Metadata = { title: "Webhooks" };

type Props = { readonly params: Promise<{ readonly id: string }> };

export default async function WebhooksPage({ params }: Props) {
  const loaded = await loadHooks("application", (await params).id);
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Send requests to your program when grants of the application are revoked or misused."
      />
      <HooksContent {...loaded} />
    </>
  );
}
