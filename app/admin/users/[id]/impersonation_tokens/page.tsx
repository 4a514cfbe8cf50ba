import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { TokenList } from "@/oauth/personal-access-tokens/components/token-list";
import { revokeImpersonation } from "@/operations/impersonation/actions";
import { loadImpersonationTokens } from "@/operations/impersonation/loaders";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";

export const metadata: Metadata = { title: "Impersonation tokens" };

export default async function ImpersonationTokensPage(props: {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Query>;
}) {
  const { owner, tokens, now, expiry, url, pager } = await loadImpersonationTokens(
    (await props.params).id,
    await props.searchParams,
  );
  return (
    <>
      <PageHead
        title="Impersonation tokens"
        about={`With an impersonation token, you act for @${owner.username} in the API and in Git. The audit trail names you and @${owner.username}.`}
        action={
          <ButtonLink kind="primary" href={`${url}/new`}>
            Create token
          </ButtonLink>
        }
      />
      {tokens.length === 0 ? (
        <EmptyState title="This user has no impersonation tokens">
          Create a token to reproduce a problem of this user. The token works until it expires, or until you
          are no longer an administrator.
        </EmptyState>
      ) : (
        <TokenList
          tokens={tokens}
          fields={{ user_id: String(owner.id) }}
          now={now}
          expiry={expiry}
          rotate={null}
          revoke={revokeImpersonation}
        />
      )}
      <Pager {...pager} />
    </>
  );
}
