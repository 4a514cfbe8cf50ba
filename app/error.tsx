"use client";

/** Every page loads the script of this error page, so the error page uses no components. */
export default function ErrorPage({ reset }: { readonly reset: () => void }) {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-6 p-6 text-center">
      <h1 className="text-title font-semibold">This page could not be displayed</h1>
      <p className="text-muted">
        Nothing was changed. Try again. If the error persists, contact the administrator.
      </p>
      <button
        type="button"
        onClick={reset}
        className="min-h-11 cursor-pointer rounded-control border border-control bg-panel px-4 font-semibold"
      >
        Try again
      </button>
    </main>
  );
}
