"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Field, SelectField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { DescriptionField, NameField } from "../../naming/components/name-fields";
import { VisibilityChoice } from "../../naming/components/visibility";
import type { NameDraft, RemovalState } from "../../naming/schema";
import type { ProjectFormState, TransferState } from "../actions";

/** The form that edits the name, the description and the visibility of a project. */
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
        <Notice kind="problem">The project was not saved. Correct the marked fields.</Notice>
      ) : null}
      <input type="hidden" name="id" value={id} />
      <NameField draft={draft} problems={problems} />
      <DescriptionField draft={draft} problems={problems} />
      <VisibilityChoice
        chosen={draft.visibility}
        {...(inGroup ? { hint: "A project cannot be more visible than its group." } : {})}
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

type TransferProps = Readonly<{
  action: (before: TransferState, form: FormData) => Promise<TransferState>;
  id: number;
  /** The namespaces that the transfer form offers, each with the value and the label of its option. */
  targets: readonly Readonly<{ reference: string; label: string }>[];
}>;

/** The form that transfers a project to another namespace. */
export function TransferForm({ action, id, targets }: TransferProps) {
  const [{ namespace, problem }, formAction, pending] = useActionState(action, {
    namespace: "",
    problem: null,
  });
  return (
    <form key={`${namespace} ${problem}`} action={formAction} className="grid gap-4" noValidate>
      <input type="hidden" name="id" value={id} />
      <SelectField
        id="transfer-namespace"
        name="namespace"
        label="New namespace"
        hint="Your own namespace, or a group in which you have at least the Maintainer role."
        defaultValue={namespace}
        problems={problem === null ? undefined : [problem]}
      >
        <option value="">Select a namespace</option>
        {targets.map(({ reference, label }) => (
          <option key={reference} value={reference}>
            {label}
          </option>
        ))}
      </SelectField>
      <div>
        <Button kind="danger" disabled={pending}>
          Transfer this project
        </Button>
      </div>
    </form>
  );
}

/** The form that deletes a project or a group. To confirm the deletion, the user must type the path. */
export function DeleteForm(props: {
  readonly action: (before: RemovalState, form: FormData) => Promise<RemovalState>;
  readonly id: number;
  readonly fullPath: string;
  readonly kind: "project" | "group";
}) {
  const [{ problem }, formAction, pending] = useActionState(props.action, { problem: null });
  return (
    <form action={formAction} className="grid gap-4" noValidate>
      <input type="hidden" name="id" value={props.id} />
      <Field
        id="confirm-path"
        name="path"
        label={`Type ${props.fullPath} to confirm`}
        problems={problem === null ? undefined : [problem]}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div>
        <Button kind="danger" disabled={pending}>
          Delete this {props.kind}
        </Button>
      </div>
    </form>
  );
}
