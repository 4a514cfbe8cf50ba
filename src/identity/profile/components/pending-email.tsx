import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import type { PendingEmail as Pending } from "../../users/email-change";

/**
 * The e-mail address that waits for confirmation, and a button that cancels the change of the e-mail address.
 */
export function PendingEmail(props: {
  /**
   * The action that cancels the change of the e-mail address; null for a user without a confirmed e-mail
   * address.
   */
  readonly action: (() => Promise<void>) | null;
  /** The action that sends the confirmation link again; null if administrators confirm e-mail addresses. */
  readonly resend: (() => Promise<void>) | null;
  readonly pending: Pending;
  readonly now: Date;
}) {
  return (
    <Notice kind="done">
      <form action={props.action ?? undefined} className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-50 flex-1 wrap-anywhere">
          <b className="font-semibold">{props.pending.email}</b> is waiting for{" "}
          {props.resend === null
            ? "confirmation by an administrator"
            : "your confirmation with the link in the e-mail"}
          . Requested <Ago at={props.pending.at} now={props.now} />.
        </p>
        {props.resend === null ? null : (
          <Button size="small" formAction={props.resend}>
            Send link again
          </Button>
        )}
        {props.action === null ? null : <Button size="small">Cancel request</Button>}
      </form>
    </Notice>
  );
}
