/**
 * A short message about the last action. The message covers a part of the page, so that no element moves when
 * the message disappears.
 */
export function Toast({ text }: { readonly text: string | null }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-20 grid justify-items-center px-4"
    >
      {text === null ? null : (
        // The key changes with each render, so that a new message does not inherit the faded style.
        <p
          key={crypto.randomUUID()}
          className="toast rounded-control border border-line bg-ink px-4 py-3 text-ground shadow-card"
        >
          {text}
        </p>
      )}
    </div>
  );
}
