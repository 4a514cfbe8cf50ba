import { TEMPLATES } from "../../applications/template";
import { TemplateBefore, TemplateButton } from "./template-button";

/**
 * Shows buttons that apply a template to the form that contains the buttons. The form keeps the values that the user
 * has entered.
 */
export function TemplateChoice() {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-muted">
        Choose a template to fill in the fields below. Fields that you have changed keep their values.
      </legend>
      <TemplateBefore />
      <ul className="grid gap-2 sm:grid-cols-3">
        {TEMPLATES.map(({ name, label, about }) => (
          <li key={name} className="grid">
            <TemplateButton name={name}>
              <span className="font-semibold text-ink">{label}</span>
              <span className="text-muted text-small">{about}</span>
            </TemplateButton>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
