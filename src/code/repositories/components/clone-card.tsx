import Link from "next/link";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { CopyField } from "@/ui/copy-field";
import type { RepositorySummary } from "../loaders";

/** Where Git finds the repository, and what to do with an empty one. */
export function CloneCard({ repository }: { readonly repository: RepositorySummary }) {
  const { cloneUrl, codeUrl, firstPush, isEmpty } = repository;
  return (
    <Card
      title="Repository"
      about={isEmpty ? "It is empty." : "Clone it, and fetch and push over HTTPS."}
      action={codeUrl === null ? undefined : <ButtonLink href={codeUrl}>Code</ButtonLink>}
    >
      <div className="grid gap-4">
        <CopyField id="clone-url" label="Clone address" value={cloneUrl} />
        <p className="text-small text-muted">
          Git asks for a username and a password: take any name and{" "}
          <Link href="/user_settings/personal_access_tokens" className="underline underline-offset-2">
            an access token
          </Link>{" "}
          with <code>read_repository</code> or <code>write_repository</code>, or let{" "}
          <Link href="/help/connect" className="underline underline-offset-2">
            a credential helper
          </Link>{" "}
          sign you in.
        </p>
        {firstPush === null ? null : <CodeBlock label="Push a folder of yours" code={firstPush} />}
      </div>
    </Card>
  );
}
