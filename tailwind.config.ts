import type { Config } from "tailwindcss";

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
        app: "var(--app)",
        "on-app": "var(--on-app)",
      },
      fontFamily: {
        sans: ["system-ui", "sans-serif"],
        mono: ["ui-monospace", "monospace"],
      },
      fontSize: {
        small: ["13px", "1.5"],
        base: ["15px", "1.5"],
        title: ["21px", { lineHeight: "1.3", letterSpacing: "-0.01em" }],
      },
      borderRadius: { control: "9px", group: "10px", card: "14px" },
      boxShadow: { card: "0 1px 2px rgb(0 0 0 / 0.04), 0 12px 32px rgb(0 0 0 / 0.07)" },
    },
  },
} satisfies Config;
