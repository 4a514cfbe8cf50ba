import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { EmptyState } from "@/ui/empty-state";
import { Expiry } from "@/ui/expiry";
import { isolated } from "@/ui/isolated";
import { OneLine } from "@/ui/one-line";
import { Pager } from "@/ui/pager";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { revokeDeployToken } from "../actions";
import type { loadDeployTokens } from "../loaders";
import type { DeployToken } from "../rules";

/** Shows the deploy tokens of a project or a group. */
export function DeployTokens({ resource, tokens, now, pager }: Awaited<ReturnType<typeof loadDeployTokens>>) {
  return (
    <>
      {tokens.length === 0 ? (
        <EmptyState title={`This ${resource.kind} has no deploy tokens`}>
          Create a deploy token for a server that clones code or downloads packages and images. The server
          then needs no user account.
        </EmptyState>
      ) : (
        <Rows>
          {tokens.map((token) => (
            <Row key={token.id}>
              <TokenFacts token={token} now={now} />
              <Confirm
                id={`revoke-${token.id}`}
                size="small"
                summary="Revoke"
                title={`Revoke ${isolated(token.name)}?`}
                question="Every program that uses this token loses access immediately. You cannot undo the revocation."
              >
                <form action={revokeDeployToken}>
                  <input type="hidden" name="kind" value={resource.kind} />
                  <input type="hidden" name="place" value={resource.id} />
                  <input type="hidden" name="id" value={token.id} />
                  <Button kind="danger">Revoke this token</Button>
                </form>
              </Confirm>
            </Row>
          ))}
        </Rows>
      )}
      <Pager {...pager} />
    </>
  );
}

function TokenFacts({ token, now }: { readonly token: DeployToken; readonly now: Date }) {
  const { name, username, scopes, createdAt, expiresAt, rightEnded } = token;
  return (
    <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 md:flex-nowrap">
        <OneLine text={name} className="font-semibold" />
        <span className="flex flex-wrap gap-1 md:max-w-3/4 md:shrink-0">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      </p>
      <p className="text-small text-muted wrap-anywhere">
        Username: <code>{username}</code>
        {" · "}
        created <Ago at={createdAt} now={now} />
        {" · "}
        <Expiry at={expiresAt} now={now} />
      </p>
      {rightEnded ? (
        <p className="text-small text-danger">
          The user who created this token has lost the right to create deploy tokens, so the token no longer
          works. Revoke the token, and create a new token.
        </p>
      ) : null}
    </div>
  );
}
