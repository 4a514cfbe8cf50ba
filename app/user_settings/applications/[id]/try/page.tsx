import type { Metadata } from "next";
import { TrialStart } from "@/oauth-endpoints/trial/components/trial-page";
import { loadTrial } from "@/oauth-endpoints/trial/loaders";

export const metadata: Metadata = { title: "Try the authorization" };

export default async function TrialPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  return <TrialStart {...(await loadTrial((await params).id))} />;
}
