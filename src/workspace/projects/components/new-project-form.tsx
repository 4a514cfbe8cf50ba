"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { SelectField } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { DescriptionField, NameField, PathField } from "../../naming/components/name-fields";
import { VisibilityChoice } from "../../naming/components/visibility";
import type { ProjectFormState } from "../actions";

type Props = Readonly<{
  action: (before: ProjectFormState, form: FormData) => Promise<ProjectFormState>;
  username: string;
  /** Where the person may make projects. */
  groups: readonly Readonly<{ id: number; fullPath: string }>[];
  /** The one that is chosen at first; null: their own name. */
  group: number | null;
}>;

/** Makes a project. Works without JavaScript: the action then answers with a whole page. */
export function NewProjectForm({ action, username, groups, group }: Props) {
  const namespace = group === null ? "" : String(group);
  const [state, formAction, pending] = useActionState(action, {
    draft: { name: "", path: "", description: "", visibility: "private", namespace, readme: false },
    problems: {},
  });
  const { draft, problems } = state;
  return (
    <form key={JSON.stringify(state)} action={formAction} className="grid gap-6" noValidate>
      {Object.keys(problems).length > 0 ? (
        <Notice kind="problem">Nothing was made yet. Correct what is marked below.</Notice>
      ) : null}
      <NameField draft={draft} problems={problems} />
      <SelectField
        id="namespace"
        name="namespace"
        label="Where"
        hint="Below your own name, or in a group where you are at least a developer."
        defaultValue={draft.namespace}
        problems={problems["namespace"]}
      >
        <option value="">{username} (you)</option>
        {groups.map(({ id, fullPath }) => (
          <option key={id} value={id}>
            {fullPath}
          </option>
        ))}
      </SelectField>
      <PathField draft={draft} problems={problems} />
      <VisibilityChoice
        chosen={draft.visibility}
        hint="In a group, no more than the group itself."
        problems={problems["visibility_level"]}
      />
      <DescriptionField draft={draft} problems={problems} />
      <ChoiceGroup id="repository" legend="Repository">
        <ChoiceRow
          id="readme"
          type="checkbox"
          name="readme"
          defaultChecked={draft.readme}
          label="Begin with a README"
          detail="A first commit with README.md, so that the project can be cloned at once. Leave it if you push what you have already."
        />
      </ChoiceGroup>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={pending}>
          Create project
        </Button>
        <ButtonLink href={group === null ? "/projects" : `/groups/${group}`}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
