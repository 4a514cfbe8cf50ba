import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { HookContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHook } from "@/webhooks/hook-pages/loaders";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Webhook" };

type Props = { readonly params: Promise<{ readonly id: string; readonly hook_id: string }> };

export default orNotFound(async function WebhookPage({ params }: Props) {
  const { id, hook_id } = await params;
  const loaded = await loadHook("project", id, hook_id);
  return (
    <>
      <PageHead title="Webhook" about={loaded.webhook.url} />
      <SettingsTabs id={Number(loaded.owner)} current="Webhooks" />
      <HookContent {...loaded} />
    </>
  );
});
