"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { DescriptionField, NameField } from "../../naming/components/name-fields";
import { VisibilityChoice } from "../../naming/components/visibility";
import type { NameDraft, RemovalState } from "../../naming/schema";
import type { ProjectFormState } from "../actions";

/** Changes what a project is called and who sees it. */
export function ProjectSettingsForm(props: {
  readonly action: (before: ProjectFormState, form: FormData) => Promise<ProjectFormState>;
  readonly id: number;
  readonly draft: NameDraft;
  readonly inGroup: boolean;
}) {
  const { action, id, inGroup } = props;
  const [state, formAction, pending] = useActionState(action, {
    draft: { ...props.draft, namespace: "", readme: false },
    problems: {},
  });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">Nothing was saved yet. Correct what is marked below.</Notice>
      ) : null}
      <input type="hidden" name="id" value={id} />
      <NameField draft={draft} problems={problems} />
      <DescriptionField draft={draft} problems={problems} />
      <VisibilityChoice
        chosen={draft.visibility}
        {...(inGroup ? { hint: "No more than its group." } : {})}
        problems={problems["visibility_level"]}
      />
      <div>
        <Button kind="primary" disabled={pending}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** Removes a project, once its path has been typed. */
export function RemoveForm(props: {
  readonly action: (before: RemovalState, form: FormData) => Promise<RemovalState>;
  readonly id: number;
  readonly fullPath: string;
  readonly thing: "project" | "group";
}) {
  const [{ problem }, formAction, pending] = useActionState(props.action, { problem: null });
  return (
    <form action={formAction} className="grid gap-4" noValidate>
      <input type="hidden" name="id" value={props.id} />
      <Field
        id="confirm-path"
        name="path"
        label={`Type ${props.fullPath}`}
        problems={problem === null ? undefined : [problem]}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div>
        <Button kind="danger" disabled={pending}>
          Remove this {props.thing}
        </Button>
      </div>
    </form>
  );
}
