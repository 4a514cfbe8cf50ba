import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { DeployTokens } from "@/workspace/deploy-tokens/components/deploy-tokens";
import { loadDeployTokens } from "@/workspace/deploy-tokens/loaders";
import { GroupSettingsTabs } from "@/workspace/groups/components/group-settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Deploy tokens" };

export default orNotFound(async function GroupDeployTokensPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const list = await loadDeployTokens("group", (await props.params).id, await props.searchParams);
  return (
    <>
      <PageHead
        title="Deploy tokens"
        about="Servers use these tokens to read the code, packages and images of all projects of this group, or to publish packages and images."
        action={
          <ButtonLink kind="primary" href={`${list.url}/new`}>
            Create token
          </ButtonLink>
        }
      />
      <GroupSettingsTabs id={list.resource.id} current="Deploy tokens" />
      <DeployTokens {...list} />
    </>
  );
});
