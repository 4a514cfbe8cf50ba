"use client";

import { useEffect, useRef, useState } from "react";
import { TextField } from "@/ui/field";
import { useField } from "@/ui/form-fields";

/** The delay before a screen reader announces whether the entered redirect URIs are valid. */
const PAUSE_MS = 300;

type Props = Readonly<{
  plainHttp: boolean;
  /** The example redirect URIs of each template. */
  placeholders: Readonly<Record<string, string>>;
}>;

/**
 * Shows the field for redirect URIs. While the user types, the field validates the redirect URIs with the
 * same function as the server.
 */
export function RedirectUrisField({ plainHttp, placeholders }: Props) {
  const { value: defaultValue, problems } = useField("redirect_uris", "redirectUris");
  const template = useField("template_before").value;
  /**
   * The entered redirect URIs and the error messages about them; null before the user has entered a redirect
   * URI.
   */
  const [typed, setTyped] = useState<Readonly<{ text: string; problems: readonly string[] }> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const shownProblems = typed === null ? problems : typed.problems;
  const isValid = typed !== null && typed.text !== "" && typed.problems.length === 0;
  const validate = async (value: string): Promise<void> => {
    // The browser loads the JavaScript of the validation when the user edits the field for the first time.
    const { redirectUriProblems } = await import("../../applications/redirect-uris");
    const text = value.trim();
    setTyped({ text, problems: text === "" ? [] : redirectUriProblems(value, plainHttp) });
  };
  return (
    <div aria-live="polite" className="grid gap-1">
      <TextField
        id="redirect_uris"
        name="redirect_uris"
        label="Redirect URIs"
        hint="Enter one URI per line, exactly as the application sends it. For 127.0.0.1, [::1] and localhost, any port is accepted."
        rows={4}
        defaultValue={defaultValue}
        placeholder={placeholders[template]}
        problems={shownProblems}
        spellCheck={false}
        autoCapitalize="none"
        onInput={(event) => {
          const { value } = event.currentTarget;
          clearTimeout(timer.current);
          timer.current = setTimeout(validate, PAUSE_MS, value);
        }}
      />
      <p className="min-h-5 text-muted text-small">{isValid ? "These redirect URIs are valid." : null}</p>
    </div>
  );
}
