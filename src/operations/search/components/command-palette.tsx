"use client";

import { lazy, Suspense, useEffect, useRef, useState } from "react";

/**
 * The content of the dialog. The browser loads this content when the user opens the dialog for the first
 * time.
 */
const PaletteForm = lazy(() => import("./palette-form"));

/**
 * The search button of the top bar. With JavaScript, the button and Ctrl-K open a dialog that shows results
 * while the user types. Without JavaScript, the button is a link to the search page.
 */
export function CommandPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  return (
    <>
      <a
        href="/search"
        aria-label="Search"
        aria-keyshortcuts="Control+K"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
        className="flex min-h-9 items-center gap-2 rounded-control border border-control px-2.5 text-small text-muted no-underline hover:text-ink"
      >
        <Magnifier />
        <span className="hidden lg:inline">Search</span>
        <kbd className="hidden font-sans text-muted lg:inline">Ctrl K</kbd>
      </a>
      {open ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: browsers close the dialog with the Escape key.
        <dialog
          ref={dialog}
          aria-label="Search"
          onClose={() => setOpen(false)}
          onClick={(event) => {
            // If the user clicks on the backdrop, the target of the event is the dialog element.
            if (event.target === event.currentTarget) event.currentTarget.close();
          }}
          className="m-auto mt-[10vh] w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-card border border-line bg-panel p-0 text-ink shadow-card backdrop:bg-black/40"
        >
          <Suspense fallback={<div className="min-h-13" />}>
            <PaletteForm />
          </Suspense>
        </dialog>
      ) : null}
    </>
  );
}

const Magnifier = () => (
  <svg
    width={16}
    height={16}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5" />
  </svg>
);
