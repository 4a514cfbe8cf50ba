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
  /** The groups in which the user may create projects. */
  groups: readonly Readonly<{ id: number; fullPath: string }>[];
  /** The id of the preselected group; null for the namespace of the user. */
  group: number | null;
}>;

/**
 * The form that creates a project. The form also works without JavaScript, because the action then returns a
 * full page.
 */
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
        <Notice kind="problem">The project was not created. Correct the marked fields.</Notice>
      ) : null}
      <NameField draft={draft} problems={problems} />
      <SelectField
        id="namespace"
        name="namespace"
        label="Namespace"
        hint="Your own namespace, or a group in which you have at least the Developer role."
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
        hint="A project in a group cannot be more visible than the group."
        problems={problems["visibility_level"]}
      />
      <DescriptionField draft={draft} problems={problems} />
      <ChoiceGroup id="repository" legend="Repository">
        <ChoiceRow
          id="readme"
          type="checkbox"
          name="readme"
          defaultChecked={draft.readme}
          label="Initialize the repository with a README"
          detail="The server creates a first commit with README.md, so that the repository can be cloned immediately. Leave this option off if you want to push an existing repository."
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
