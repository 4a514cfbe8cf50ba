import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { DeployTokens } from "@/workspace/deploy-tokens/components/deploy-tokens";
import { loadDeployTokens } from "@/workspace/deploy-tokens/loaders";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Deploy tokens" };

export default orNotFound(async function ProjectDeployTokensPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const list = await loadDeployTokens("project", (await props.params).id, await props.searchParams);
  return (
    <>
      <PageHead
        title="Deploy tokens"
        about="Servers use these tokens to read the code, packages and images of this project, or to publish packages and images."
        action={
          <ButtonLink kind="primary" href={`${list.url}/new`}>
            Create token
          </ButtonLink>
        }
      />
      <SettingsTabs id={list.resource.id} current="Deploy tokens" />
      <DeployTokens {...list} />
    </>
  );
});
