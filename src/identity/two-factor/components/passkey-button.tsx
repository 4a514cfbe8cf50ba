"use client";

import { browserSupportsWebAuthnAutofill, startAuthentication } from "@simplewebauthn/browser";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/ui/button";
import type { PasskeyRequest } from "../passkey";

type Props = Readonly<{
  request: PasskeyRequest;
  label: string;
  kind?: "primary" | "plain";
  /** Additional fields of the form that posts the response to `/users/session`. */
  fields: Readonly<Record<string, string>>;
  /** Whether the browser also offers passkeys in the autocompletion of the login field. */
  autofill?: boolean;
}>;

/** Requests a passkey from the browser and posts the response as a plain form. */
export function PasskeyButton({ request, label, kind = "plain", fields, autofill = false }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const credentialField = useRef<HTMLInputElement>(null);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const post = (credential: unknown): void => {
    if (credentialField.current === null) return;
    credentialField.current.value = JSON.stringify(credential);
    form.current?.submit();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs once, with the passkey request that was rendered with the page.
  useEffect(() => {
    setReady(true);
    if (autofill) void offer(request, post);
  }, []);

  const requestPasskey = async (): Promise<void> => {
    setProblem(null);
    try {
      post(await startAuthentication({ optionsJSON: request }));
    } catch {
      setProblem("The passkey was not used. Try again, or use another method.");
    }
  };

  return (
    <form ref={form} method="post" action="/users/session" className="grid gap-2">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input ref={credentialField} type="hidden" name="credential" />
      <Button type="button" kind={kind} disabled={!ready} onClick={requestPasskey}>
        {label}
      </Button>
      <p role="status" className="text-small text-danger empty:hidden">
        {problem}
      </p>
      <noscript>
        <p className="text-small text-muted">
          Passkeys require JavaScript, which is disabled in this browser.
        </p>
      </noscript>
    </form>
  );
}

/**
 * Waits until the user selects a passkey in the autocompletion list of the login field; another sign-in
 * method aborts the request.
 */
async function offer(request: PasskeyRequest, post: (credential: unknown) => void): Promise<void> {
  try {
    if (!(await browserSupportsWebAuthnAutofill())) return;
    post(await startAuthentication({ optionsJSON: request, useBrowserAutofill: true }));
  } catch {
    // The user signs in by another method, which aborts the passkey request.
  }
}
