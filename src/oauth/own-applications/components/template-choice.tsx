import { TEMPLATES, type Template } from "../../applications/template";

/**
 * Shows buttons that apply a template to the form that contains the buttons. The form keeps the values that the user
 * has entered.
 */
export function TemplateChoice({ chosen }: { readonly chosen: Template["name"] }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-muted">
        Choose a template to fill in the fields below. Fields that you have changed keep their values.
      </legend>
      <input type="hidden" name="template_before" value={chosen} />
      <ul className="grid gap-2 sm:grid-cols-3">
        {TEMPLATES.map(({ name, label, about }) => (
          <li key={name} className="grid">
            <button
              type="submit"
              name="template"
              value={name}
              aria-pressed={name === chosen}
              className={`grid cursor-pointer content-start gap-1 rounded-group border px-4 py-3 text-left hover:bg-ground ${
                name === chosen ? "border-accent bg-soft" : "border-control bg-panel"
              }`}
            >
              <span className="font-semibold text-ink">{label}</span>
              <span className="text-muted text-small">{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
