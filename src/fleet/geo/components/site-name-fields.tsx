import { Field } from "@/ui/field";

/** The name and the URL of a Geo site, in the forms that add and edit a site. */
export function SiteNameFields({
  draft,
  problemsOf,
}: Readonly<{
  draft: Readonly<{ name: string; url: string }>;
  /** Returns the errors of a form field, each as a sentence that begins with the label of the field. */
  problemsOf: (field: string, label: string) => readonly string[] | undefined;
}>) {
  return (
    <>
      <Field
        id="name"
        name="name"
        label="Name"
        defaultValue={draft.name}
        problems={problemsOf("name", "The name")}
        maxLength={255}
        autoComplete="off"
      />
      <Field
        id="url"
        name="url"
        type="url"
        label="URL"
        hint="The URL at which users open the site."
        defaultValue={draft.url}
        problems={problemsOf("url", "The URL")}
        autoComplete="off"
      />
    </>
  );
}
