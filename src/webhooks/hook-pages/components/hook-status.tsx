import { Notice } from "@/ui/notice";
import type { LoadedHook } from "../loaders";

/**
 * Shows a notice about a webhook that has no events, or that is paused or disabled because requests to its
 * receiver failed.
 */
export function HookStatus({ webhook, status }: Pick<LoadedHook, "webhook" | "status">) {
  const { failures, disabledUntil } = webhook;
  if (webhook.triggers.length === 0)
    return (
      <Notice kind="warning">
        This webhook sends no messages, because no event is selected. Edit the webhook and select its events.
      </Notice>
    );
  if (status === "executable")
    return failures === 0 ? null : (
      <Notice kind="warning">
        The last {failures === 1 ? "request" : `${failures} requests`} failed. The failed messages are sent
        again.
      </Notice>
    );
  const end =
    " Send a test message after you have corrected the receiver: if the receiver accepts the message, the webhook is enabled again.";
  return (
    <Notice kind="warning">
      {status === "disabled"
        ? `This webhook is disabled because the last ${failures} requests failed.`
        : `This webhook is paused until ${disabledUntil?.toISOString().slice(0, 16).replace("T", " ")} UTC because the last ${failures} requests failed. New messages are sent after the pause.`}
      {end}
    </Notice>
  );
}
