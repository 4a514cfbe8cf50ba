import type { Metadata } from "next";
import { ApplicationTrail } from "@/oauth/own-applications/components/application-trail";
import { loadApplication } from "@/oauth/own-applications/loaders";
import { PageHead } from "@/ui/page-shell";
import { HookContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHook } from "@/webhooks/hook-pages/loaders";

export const metadata: Metadata = { title: "Webhook" };

type Props = { readonly params: Promise<{ readonly id: string; readonly hook_id: string }> };

export default async function WebhookPage({ params }: Props) {
  const { id, hook_id } = await params;
  const loaded = await loadHook("application", id, hook_id);
  const { application } = await loadApplication(id);
  return (
    <>
      <ApplicationTrail application={application} page={{ label: "Webhooks", segment: "webhooks" }} />
      <PageHead title="Webhook" about={loaded.webhook.url} />
      <HookContent {...loaded} />
    </>
  );
}
