import { THEMES, type Theme } from "@/kernel/http/theme";

const NAMES: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

/** A form with three buttons that choose the theme. The button of the current theme is shown as pressed. */
export function ThemeSwitch({ theme }: { readonly theme: Theme }) {
  return (
    <form method="post" action="/users/theme" className="flex items-center gap-1" aria-label="Theme">
      {THEMES.map((name) => (
        <button
          key={name}
          type="submit"
          name="theme"
          value={name}
          aria-pressed={name === theme}
          className="min-h-8 cursor-pointer rounded-control px-2 hover:text-ink aria-pressed:bg-soft aria-pressed:font-semibold aria-pressed:text-accent"
        >
          {NAMES[name]}
        </button>
      ))}
    </form>
  );
}
