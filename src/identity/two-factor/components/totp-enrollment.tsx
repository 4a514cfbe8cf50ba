"use client";

import { useActionState } from "react";
import { Button, ButtonLink } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { HOME, withReturn } from "../../sessions/two-factor-enrollment";
import type { TotpState } from "../actions";
import type { PendingTotp } from "../service";
import { RecoveryCodes } from "./recovery-codes";

type Props = Readonly<{
  action: (before: TotpState, form: FormData) => Promise<TotpState>;
  pending: PendingTotp;
  returnTo: string | null;
}>;

/**
 * Shows the QR code of a new secret and the form for the first code of the authenticator app. Without
 * JavaScript, the server action responds with a whole page that contains the same secret.
 */
export function TotpEnrollment({ action, pending, returnTo }: Props) {
  const start = { kind: "pending", pending, problem: null } as const;
  const [state, formAction, busy] = useActionState(action, start);
  if (state.kind === "codes") return <RecoveryCodes shown={state.shown} continueTo={returnTo ?? HOME} />;
  const { qr, secret, sealed } = state.pending;
  return (
    <form action={formAction} className="grid gap-6" noValidate>
      <input type="hidden" name="sealed" value={sealed} />
      {returnTo === null ? null : <input type="hidden" name="return_to" value={returnTo} />}
      <div className="grid gap-2">
        <h2 className="font-semibold">1. Scan the QR code with your authenticator app</h2>
        <svg
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          role="img"
          aria-label="QR code with the secret below"
          className="size-56 rounded-group border border-line"
          shapeRendering="crispEdges"
        >
          <rect width={qr.size} height={qr.size} fill="#ffffff" />
          <path d={qr.path} fill="#000000" />
        </svg>
        <p className="text-small text-muted">
          Or enter this secret in the app as a time-based secret with six digits:
        </p>
        <code className="font-mono text-small break-words">{secret}</code>
      </div>
      <div className="grid max-w-80 gap-2">
        <h2 className="font-semibold">2. Enter the code</h2>
        {state.problem === null ? null : (
          <Notice kind="problem">The authenticator app was not set up. Correct the error below.</Notice>
        )}
        <Field
          id="code"
          name="code"
          label="Code"
          hint="The six digits in your authenticator app."
          problems={state.problem === null ? undefined : [state.problem]}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" disabled={busy}>
          Set up
        </Button>
        <ButtonLink href={withReturn(HOME, returnTo)}>Cancel</ButtonLink>
      </div>
    </form>
  );
}
