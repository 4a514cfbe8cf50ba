import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { createAccessToken } from "@/workspace/access-tokens/actions";
import { AccessTokenForm } from "@/workspace/access-tokens/components/access-token-form";
import { loadNewAccessToken } from "@/workspace/access-tokens/loaders";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Create a group access token" };

export default orNotFound(async function NewGroupAccessTokenPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const form = await loadNewAccessToken("group", (await props.params).id);
  return (
    <>
      <PageHead title="Create a group access token" />
      <AccessTokenForm action={createAccessToken} {...form} />
    </>
  );
});
