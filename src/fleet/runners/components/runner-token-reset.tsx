"use client";

import { createContext, type ReactNode, useActionState, useContext } from "react";
import { Notice } from "@/ui/notice";
import type { TokenResetState } from "../actions";
import { NewRunnerToken } from "./new-runner-token";

type Reset = Readonly<{ action: (form: FormData) => void; pending: boolean }>;

const ResetContext = createContext<Reset | null>(null);

/**
 * Shows the new token of a runner whose token was just reset. The reset forms in `children` use the action.
 * The other parts of the list of runners need no script.
 */
export function TokenReset(props: {
  readonly action: (before: TokenResetState, form: FormData) => Promise<TokenResetState>;
  readonly children: ReactNode;
}) {
  const [state, action, pending] = useActionState(props.action, null);
  return (
    <>
      {state?.kind === "reset" ? (
        <div className="grid gap-4">
          <p className="font-semibold">New token of runner {state.runnerId}</p>
          <NewRunnerToken token={state.token} />
        </div>
      ) : null}
      {state?.kind === "refused" ? <Notice kind="problem">{state.text}</Notice> : null}
      <ResetContext value={{ action, pending }}>{props.children}</ResetContext>
    </>
  );
}

/** A form that resets the token of a runner. */
export function TokenResetForm({ children }: { readonly children: ReactNode }) {
  const reset = useContext(ResetContext);
  return reset === null ? null : (
    <form action={reset.action}>
      <fieldset disabled={reset.pending} className="contents">
        {children}
      </fieldset>
    </form>
  );
}
