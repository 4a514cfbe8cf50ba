import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { HookContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHook } from "@/webhooks/hook-pages/loaders";

export const metadata: Metadata = { title: "Webhook" };

type Props = { readonly params: Promise<{ readonly hook_id: string }> };

export default async function WebhookPage({ params }: Props) {
  const loaded = await loadHook("instance", "", (await params).hook_id);
  return (
    <>
      <PageHead title="Webhook" about={loaded.webhook.url} />
      <HookContent {...loaded} />
    </>
  );
}
