import { ALL_ROLES, ROLES, type Role, reaches } from "@/access/roles";
import { Field, SelectField } from "@/ui/field";

/** A select box for a role. Roles higher than the viewer's own role are not offered. */
export function RoleField(props: {
  readonly id: string;
  readonly form?: string;
  readonly held: Role;
  readonly chosen: Role;
  readonly problem?: string | undefined;
}) {
  return (
    <SelectField
      id={props.id}
      name="role"
      label="Role"
      {...(props.form === undefined ? {} : { form: props.form })}
      defaultValue={props.chosen}
      problems={props.problem === undefined ? undefined : [props.problem]}
    >
      {ALL_ROLES.filter((role) => reaches(props.held, role)).map((role) => (
        <option key={role} value={role}>
          {ROLES[role].label}
        </option>
      ))}
    </SelectField>
  );
}

/** A date field for the day on which a membership expires. */
export const ExpiryField = (props: {
  readonly id: string;
  readonly form?: string;
  readonly day: string;
  readonly problem?: string | undefined;
}) => (
  <Field
    id={props.id}
    name="expires_at"
    type="date"
    label="Expires"
    {...(props.form === undefined ? {} : { form: props.form })}
    defaultValue={props.day}
    problems={props.problem === undefined ? undefined : [props.problem]}
  />
);
