import type { Metadata } from "next";
import { createToken } from "@/features/personal-access-tokens/actions";
import { TokenForm } from "@/features/personal-access-tokens/components/token-form";
import { loadExpiry } from "@/features/personal-access-tokens/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create an access token" };

export default async function NewPersonalAccessTokenPage() {
  const expiry = await loadExpiry();
  return (
    <>
      <PageHead title="Create an access token" />
      <TokenForm action={createToken} expiry={expiry} />
    </>
  );
}
