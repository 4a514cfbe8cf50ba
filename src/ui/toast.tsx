import { randomUUID } from "node:crypto";

/**
 * A short message about the last action. The message covers a part of the page, so that no element moves when
 * the message disappears. The browser moves the focus to the message, so that screen readers read the message
 * and the tab key continues with the content of the page.
 */
export function Toast({ text }: { readonly text: string | null }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-20 grid justify-items-center px-4"
    >
      {text === null ? null : (
        <p
          // Each message is a new element, so that the same text is shown and announced again.
          key={randomUUID()}
          tabIndex={-1}
          // biome-ignore lint/a11y/noAutofocus: the page was loaded by the action that the message is about.
          autoFocus
          className="toast max-w-150 rounded-control bg-ink px-4 py-3 text-ground shadow-card wrap-anywhere"
        >
          {text}
        </p>
      )}
    </div>
  );
}
