import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { HooksContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHooks } from "@/webhooks/hook-pages/loaders";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const loaded = await loadHooks("instance", "");
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Send requests to other programs when something happens in this instance."
      />
      <HooksContent {...loaded} />
    </>
  );
}
