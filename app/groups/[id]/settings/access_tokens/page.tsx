import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { AccessTokens } from "@/workspace/access-tokens/components/access-tokens";
import { loadAccessTokens } from "@/workspace/access-tokens/loaders";
import { GroupSettingsTabs } from "@/workspace/groups/components/group-settings-tabs";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "Access tokens" };

export default orNotFound(async function GroupAccessTokensPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const list = await loadAccessTokens("group", (await props.params).id, await props.searchParams);
  return (
    <>
      <PageHead
        title="Access tokens"
        about="Programs use these tokens to access this group, its subgroups and its projects. Each token belongs to a bot, which is a member with a role."
        action={
          <ButtonLink kind="primary" href={`${list.url}/new`}>
            Create token
          </ButtonLink>
        }
      />
      <GroupSettingsTabs id={list.resource.id} current="Access tokens" />
      <AccessTokens {...list} />
    </>
  );
});
