import { Field, TextField } from "@/ui/field";
import type { FieldErrors } from "../path";
import type { NameDraft } from "../schema";

/** Returns the error texts of a field as sentences. The error texts of the API omit the subject. */
export const problemsAs = (subject: string, texts: readonly string[] | undefined) =>
  texts?.map((text) => `${subject} ${text}${text.endsWith(".") ? "" : "."}`);

type Props = Readonly<{ draft: NameDraft; problems: FieldErrors }>;

export const NameField = ({ draft, problems }: Props) => (
  <Field
    id="name"
    name="name"
    label="Name"
    dir="auto"
    defaultValue={draft.name}
    problems={problemsAs("The name", problems["name"])}
    maxLength={255}
    autoComplete="off"
  />
);

export const PathField = ({ draft, problems }: Props) => (
  <Field
    id="path"
    name="path"
    label="Path"
    hint="The path is part of the URL. Leave the path empty to derive the path from the name. The path does not change when the name changes."
    defaultValue={draft.path}
    problems={problemsAs("The path", problems["path"])}
    maxLength={255}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
  />
);

export const DescriptionField = ({ draft, problems }: Props) => (
  <TextField
    id="description"
    name="description"
    label="Description"
    hint="A short summary. Optional."
    prose
    dir="auto"
    rows={3}
    defaultValue={draft.description}
    problems={problemsAs("The description", problems["description"])}
    maxLength={2000}
  />
);
