import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { HooksContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHooks } from "@/webhooks/hook-pages/loaders";
import { GroupSettingsTabs } from "@/workspace/groups/components/group-settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Webhooks" };

type Props = { readonly params: Promise<{ readonly id: string }> };

export default orNotFound(async function WebhooksPage({ params }: Props) {
  const loaded = await loadHooks("group", (await params).id);
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Send requests to other programs when something happens in this group."
      />
      <GroupSettingsTabs id={Number(loaded.owner)} current="Webhooks" />
      <HooksContent {...loaded} />
    </>
  );
});
