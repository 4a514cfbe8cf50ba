import { Button } from "@/ui/button";
import type { ErrorStatus } from "../rules";

const LABELS: Readonly<Record<ErrorStatus, string>> = {
  resolved: "Resolve",
  ignored: "Ignore",
  unresolved: "Reopen",
};
const STATUSES = ["resolved", "ignored", "unresolved"] as const;

/**
 * The buttons of a form that sets the status of several tracked errors.
 * @param props.without a status that gets no button.
 */
export const StatusButtons = (props: { readonly size?: "small"; readonly without?: ErrorStatus | "all" }) =>
  STATUSES.filter((status) => status !== props.without).map((status) => (
    <Button key={status} size={props.size} name="to" value={status}>
      {LABELS[status]}
    </Button>
  ));
