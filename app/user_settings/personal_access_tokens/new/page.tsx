import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { createToken } from "@/oauth/personal-access-tokens/actions";
import { TokenForm } from "@/oauth/personal-access-tokens/components/token-form";
import { loadTokenDraft } from "@/oauth/personal-access-tokens/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create a personal access token" };

export default async function NewPersonalAccessTokenPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const draft = await loadTokenDraft(await searchParams);
  return (
    <>
      <PageHead title="Create a personal access token" />
      <TokenForm action={createToken} draft={draft} home="/user_settings/personal_access_tokens" />
    </>
  );
}
