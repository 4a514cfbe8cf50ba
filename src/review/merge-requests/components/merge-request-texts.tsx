import { Field, TextField } from "@/ui/field";

type Texts<Value> = Readonly<{ title: Value; description: Value }>;

/** The fields for the title and the description of a merge request. */
export const MergeRequestTexts = (props: {
  readonly draft: Texts<string>;
  readonly problems: Partial<Texts<string>>;
  /** The height of the description field, in lines. */
  readonly rows: number;
}) => (
  <>
    <Field
      id="title"
      name="title"
      label="Title"
      hint="Start the title with Draft: to prevent a merge before the changes are ready."
      dir="auto"
      defaultValue={props.draft.title}
      problems={listed(props.problems.title)}
      maxLength={255}
      autoComplete="off"
    />
    <TextField
      id="description"
      name="description"
      label="Description"
      hint="Describe the changes and the purpose of the changes. Optional. You can use Markdown."
      prose
      dir="auto"
      rows={props.rows}
      defaultValue={props.draft.description}
      problems={listed(props.problems.description)}
    />
  </>
);

export const listed = (problem: string | undefined) => (problem === undefined ? undefined : [problem]);
