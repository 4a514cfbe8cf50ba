import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { AccessTokens } from "@/workspace/access-tokens/components/access-tokens";
import { loadAccessTokens } from "@/workspace/access-tokens/loaders";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Access tokens" };

export default orNotFound(async function ProjectAccessTokensPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const list = await loadAccessTokens("project", (await props.params).id, await props.searchParams);
  return (
    <>
      <PageHead
        title="Access tokens"
        about="Programs use these tokens to access this project. Each token belongs to a bot, which is a member with a role."
        action={
          <ButtonLink kind="primary" href={`${list.url}/new`}>
            Create token
          </ButtonLink>
        }
      />
      <SettingsTabs id={list.resource.id} current="Access tokens" />
      <AccessTokens {...list} />
    </>
  );
});
