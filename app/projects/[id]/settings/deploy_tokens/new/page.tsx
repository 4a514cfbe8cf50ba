import type { Metadata } from "next";
import { PageHead } from "@/ui/page-shell";
import { createDeployToken } from "@/workspace/deploy-tokens/actions";
import { DeployTokenForm } from "@/workspace/deploy-tokens/components/deploy-token-form";
import { loadNewDeployToken } from "@/workspace/deploy-tokens/loaders";
import { orNotFound } from "../../../../../or-not-found";

export const metadata: Metadata = { title: "Create a deploy token" };

export default orNotFound(async function NewProjectDeployTokenPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const form = await loadNewDeployToken("project", (await props.params).id);
  return (
    <>
      <PageHead title="Create a deploy token" />
      <DeployTokenForm action={createDeployToken} {...form} />
    </>
  );
});
