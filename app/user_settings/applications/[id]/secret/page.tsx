import type { Metadata } from "next";
import { NewSecretPage } from "@/oauth/own-applications/components/secret-page";
import { loadNewSecret } from "@/oauth/own-applications/loaders";

export const metadata: Metadata = { title: "Save the secret" };

export default async function SecretPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  return <NewSecretPage page={await loadNewSecret((await params).id)} />;
}
