"use client";

import { startTransition, useActionState, useEffect, useState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { HOME, withReturn } from "../../sessions/two-factor-enrollment";
import type { PasskeyState } from "../actions";
import type { PasskeyCreation } from "../passkey";
import { PASSKEY_NAME_MAX } from "../rules";
import { RecoveryCodes } from "./recovery-codes";

type Props = Readonly<{
  action: (before: PasskeyState, form: FormData) => Promise<PasskeyState>;
  creation: PasskeyCreation;
  returnTo: string | null;
}>;

/** Creates a passkey in the browser and stores it under a name. */
export function NewPasskey({ action, creation, returnTo }: Props) {
  const [state, send, busy] = useActionState(action, { kind: "asking", problem: null });
  const [ready, setReady] = useState(false);
  const [refused, setRefused] = useState(false);
  useEffect(() => setReady(true), []);
  if (state.kind === "codes") return <RecoveryCodes shown={state.shown} continueTo={returnTo ?? HOME} />;

  const make = async (form: FormData): Promise<void> => {
    setRefused(false);
    try {
      // The browser loads the library only when the user adds a passkey.
      const { startRegistration } = await import("@simplewebauthn/browser");
      form.set("credential", JSON.stringify(await startRegistration({ optionsJSON: creation })));
      startTransition(() => send(form));
    } catch {
      setRefused(true);
    }
  };

  const problem = refused ? "The passkey was not created. Try again, or use another device." : state.problem;
  return (
    <form
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void make(new FormData(event.currentTarget));
      }}
    >
      {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
      {returnTo === null ? null : <input type="hidden" name="return_to" value={returnTo} />}
      <Field
        id="name"
        name="name"
        label="Name"
        hint="A name by which you recognize the passkey later, such as Phone or Security key."
        maxLength={PASSKEY_NAME_MAX}
        autoComplete="off"
        dir="auto"
      />
      <noscript>
        <Notice kind="warning">Passkeys require JavaScript, which is disabled in this browser.</Notice>
      </noscript>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={!ready || busy}>
          Add passkey
        </Button>
        <ButtonLink href={withReturn(HOME, returnTo)}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
