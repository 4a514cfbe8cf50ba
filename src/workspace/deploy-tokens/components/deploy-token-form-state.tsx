"use client";

import { type ReactNode, useActionState } from "react";
import { ButtonLink } from "@/ui/button";
import { CopyField } from "@/ui/copy-field";
import { FormContentProvider } from "@/ui/form-fields";
import { Notice } from "@/ui/notice";
import type { DeployTokenState } from "../actions";
import type { DeployTokenDraft } from "../rules";

type Props = Readonly<{
  action: (before: DeployTokenState, form: FormData) => Promise<DeployTokenState>;
  draft: DeployTokenDraft;
  /** The path of the page with the list of tokens. */
  url: string;
  children: ReactNode;
}>;

/**
 * The `<form>` element that creates a deploy token. After a deploy token was created, the page shows the
 * value of the deploy token instead of the form.
 */
export function DeployTokenFormState({ action, draft: initial, url, children }: Props) {
  const [state, formAction] = useActionState<DeployTokenState, FormData>(action, {
    kind: "editing",
    draft: initial,
    problems: {},
  });
  if (state.kind === "created")
    return (
      <section aria-label="New token" className="grid gap-4">
        <CopyField id="token-username" label="Username" value={state.username} />
        <CopyField id="token-value" label="Token" value={state.value} />
        <Notice kind="warning" focused>
          Copy the token <bdi>{state.name}</bdi> now. You cannot view the token again.
        </Notice>
        <div>
          <ButtonLink kind="primary" href={url}>
            Done
          </ButtonLink>
        </div>
      </section>
    );
  const { draft, problems } = state;
  const values = {
    name: [draft.name],
    username: [draft.username],
    expires_at: [draft.expiresAt instanceof Date ? draft.expiresAt.toISOString().slice(0, 10) : ""],
    scopes: draft.scopes,
  };
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      <FormContentProvider value={{ values, problems }}>{children}</FormContentProvider>
    </form>
  );
}
