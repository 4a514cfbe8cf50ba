import type { Metadata } from "next";
import { createImpersonation } from "@/operations/impersonation/actions";
import { ImpersonationTokenForm } from "@/operations/impersonation/components/impersonation-token-form";
import { loadNewImpersonationToken } from "@/operations/impersonation/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Create an impersonation token" };

export default async function NewImpersonationTokenPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { owner, url, draft } = await loadNewImpersonationToken((await props.params).id);
  return (
    <>
      <PageHead title={`Create an impersonation token for @${owner.username}`} />
      <ImpersonationTokenForm action={createImpersonation} draft={draft} userId={owner.id} url={url} />
    </>
  );
}
