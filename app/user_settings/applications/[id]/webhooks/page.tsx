import type { Metadata } from "next";
import { ApplicationTrail } from "@/oauth/own-applications/components/application-trail";
import { loadApplication } from "@/oauth/own-applications/loaders";
import { PageHead } from "@/ui/page-shell";
import { HooksContent } from "@/webhooks/hook-pages/components/hook-page";
import { loadHooks } from "@/webhooks/hook-pages/loaders";

export const metadata: Metadata = { title: "Webhooks" };

type Props = { readonly params: Promise<{ readonly id: string }> };

export default async function WebhooksPage({ params }: Props) {
  const { id } = await params;
  const loaded = await loadHooks("application", id);
  const { application } = await loadApplication(id);
  return (
    <>
      <ApplicationTrail application={application} page={{ label: "Webhooks", segment: "webhooks" }} />
      <PageHead
        title="Webhooks"
        about="Send requests to your program when grants of the application are revoked or misused."
      />
      <HooksContent {...loaded} />
    </>
  );
}
