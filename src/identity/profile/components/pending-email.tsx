import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import type { PendingEmail as Pending } from "../../users/email-change";

/** The e-mail address that waits for confirmation, and a button that cancels the request. */
export function PendingEmail(props: {
  readonly action: () => Promise<void>;
  readonly pending: Pending;
  readonly now: Date;
}) {
  return (
    <Notice kind="done">
      <form action={props.action} className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-50 flex-1 wrap-anywhere">
          <b className="font-semibold">{props.pending.email}</b> is waiting for confirmation by an
          administrator. Requested <Ago at={props.pending.at} now={props.now} />.
        </p>
        <Button size="small">Cancel request</Button>
      </form>
    </Notice>
  );
}
