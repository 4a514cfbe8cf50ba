import { TEMPLATES, type Template } from "../../applications/template";

/** Shows links to the registration form with the values of a template. */
export function TemplateChoice({ chosen }: { readonly chosen: Template["name"] }) {
  return (
    <nav aria-label="Templates" className="grid gap-2">
      <p className="text-muted">Choose a template. You can change every field below.</p>
      <ul className="grid gap-2 sm:grid-cols-3">
        {TEMPLATES.map(({ name, label, about }) => (
          <li key={name} className="grid">
            <a
              href={`/user_settings/applications/new?template=${name}`}
              aria-current={name === chosen ? "true" : undefined}
              className={`grid content-start gap-1 rounded-group border px-4 py-3 no-underline hover:bg-ground ${
                name === chosen ? "border-accent bg-soft" : "border-line bg-panel"
              }`}
            >
              <span className="font-semibold text-ink">{label}</span>
              <span className="text-muted text-small">{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
