import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { CopyField } from "@/ui/copy-field";
import type { RepositorySummary } from "../loaders";

/**
 * A card with the clone URL of the repository. For an empty repository, the card also shows the commands for the first
 * push.
 */
export function CloneCard({ repository }: { readonly repository: RepositorySummary }) {
  const { cloneUrl, codeUrl, firstPush, isEmpty } = repository;
  return (
    <Card
      title="Repository"
      about={isEmpty ? "The repository is empty." : "Clone, fetch and push over HTTPS."}
      action={codeUrl === null ? undefined : <ButtonLink href={codeUrl}>Code</ButtonLink>}
    >
      <div className="grid gap-4">
        <CopyField id="clone-url" label="Clone URL" value={cloneUrl} />
        <p className="text-small text-muted">
          When Git prompts for a username and a password, enter any username and{" "}
          <a href="/user_settings/personal_access_tokens" className="underline underline-offset-2">
            a personal access token
          </a>{" "}
          with the scope <code>read_repository</code> or <code>write_repository</code>, or let{" "}
          <a href="/help/connect" className="underline underline-offset-2">
            a credential helper
          </a>{" "}
          sign you in.
        </p>
        {firstPush === null ? null : <CodeBlock label="Push an existing folder" code={firstPush} />}
      </div>
    </Card>
  );
}
