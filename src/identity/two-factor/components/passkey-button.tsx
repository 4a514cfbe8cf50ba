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
  /** Offers passkeys where the browser completes the field for the login, too. */
  autofill?: boolean;
}>;

/** Asks the browser for a passkey and posts its answer as a plain form. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the request that the page came with.
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

/** Waits until the person picks a passkey in the list that the browser unfolds under the field; another way ends it. */
async function offer(request: PasskeyRequest, post: (credential: unknown) => void): Promise<void> {
  try {
    if (!(await browserSupportsWebAuthnAutofill())) return;
    post(await startAuthentication({ optionsJSON: request, useBrowserAutofill: true }));
  } catch {
    // The person signs in another way, which ends the offer.
  }
}
