import { Field, TextField } from "@/ui/field";
import type { FieldErrors } from "../path";
import type { NameDraft } from "../schema";

/** What is wrong with a field, as sentences: the rules name it without its subject. */
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
    hint="Its part of the address. Leave it empty, and it is made from the name. It stays when the name changes."
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
    hint="What it is, in a sentence or two. You may leave it empty."
    prose
    dir="auto"
    rows={3}
    defaultValue={draft.description}
    problems={problemsAs("The description", problems["description"])}
    maxLength={2000}
  />
);
