/** A short message about the last action. It lies over the page, so nothing moves when it disappears. */
export function Toast({ text }: { readonly text: string | null }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-20 grid justify-items-center px-4"
    >
      {text === null ? null : (
        // A page that stays for another form on it must not keep the faded message.
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
