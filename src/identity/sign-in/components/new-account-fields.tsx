import { Field } from "@/ui/field";

type FieldProps = Readonly<{ value: string; problems: readonly string[] }>;

/** The field for the username of a new account. */
export const NewUsernameField = ({ value, problems }: FieldProps) => (
  <Field
    id="username"
    name="username"
    label="Username"
    hint="Visible to other users. Use letters, digits, dots, dashes and underscores."
    defaultValue={value}
    problems={problems}
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={64}
    required
    autoFocus
  />
);

/** The field for the display name of a new account. */
export const NewNameField = ({ value, problems }: FieldProps) => (
  <Field
    id="name"
    name="name"
    label="Name"
    defaultValue={value}
    problems={problems}
    autoComplete="name"
    maxLength={255}
    dir="auto"
  />
);
