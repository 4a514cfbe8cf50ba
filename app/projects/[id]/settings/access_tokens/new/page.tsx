import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { createAccessToken } from "@/workspace/access-tokens/actions";
import { AccessTokenForm } from "@/workspace/access-tokens/components/access-token-form";
import { loadNewAccessToken } from "@/workspace/access-tokens/loaders";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Create a project access token" };

export default orNotFound(async function NewProjectAccessTokenPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const form = await loadNewAccessToken("project", (await props.params).id);
  return (
    <>
      <PageHead title="Create a project access token" />
      <AccessTokenForm action={createAccessToken} {...form} />
    </>
  );
});
