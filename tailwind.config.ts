import type { Config } from "tailwindcss";

/**
 * The sizes of all texts, from 12 to 32 px, with their line heights. Larger sizes have a smaller relative line
 * height.
 */
const TYPE_SCALE = {
  micro: ["12px", "1.45"],
  small: ["13px", "1.5"],
  base: ["15px", "1.5"],
  lead: ["17px", { lineHeight: "1.4", letterSpacing: "-0.011em" }],
  heading: ["20px", { lineHeight: "1.3", letterSpacing: "-0.015em" }],
  title: ["24px", { lineHeight: "1.25", letterSpacing: "-0.019em" }],
  display: ["32px", { lineHeight: "1.15", letterSpacing: "-0.022em" }],
} as const satisfies Record<
  string,
  readonly [string, string | { lineHeight: string; letterSpacing: string }]
>;

/** Tailwind 4 reads this file only because `app/globals.css` has the line `@config`. */
export default {
  content: ["./app/**/*.{ts,tsx}", "./src/**/*.{ts,tsx}"],
  theme: {
    extend: {
      colors: {
        ground: "var(--ground)",
        panel: "var(--panel)",
        ink: "var(--ink)",
        muted: "var(--muted)",
        line: "var(--line)",
        control: "var(--control)",
        accent: "var(--accent)",
        "on-accent": "var(--on-accent)",
        soft: "var(--soft)",
        warning: "var(--warning)",
        "on-warning": "var(--on-warning)",
        danger: "var(--danger)",
        "danger-soft": "var(--danger-soft)",
        success: "var(--success)",
        "success-soft": "var(--success-soft)",
        info: "var(--info)",
        "info-soft": "var(--info-soft)",
        tint: "var(--tint)",
        tone: "var(--tone)",
      },
      fontFamily: {
        sans: ["Inter", "system-ui", "sans-serif"],
        mono: [
          "ui-monospace",
          "Cascadia Mono",
          "JetBrains Mono",
          "Menlo",
          "Consolas",
          "DejaVu Sans Mono",
          "Liberation Mono",
          "monospace",
        ],
      },
      fontSize: TYPE_SCALE,
      borderRadius: { control: "9px", group: "10px", card: "14px" },
      boxShadow: { card: "0 1px 2px rgb(0 0 0 / 0.04), 0 12px 32px rgb(0 0 0 / 0.07)" },
    },
  },
} satisfies Config;
