"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SearchSection } from "../rules";

const WAIT_MS = 120;

/**
 * The search button of the top bar. With JavaScript, the button and Ctrl-K open a dialog that shows results while the
 * user types; without JavaScript, the button is a link to the search page.
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
        // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key of the browser closes the dialog.
        <dialog
          ref={dialog}
          aria-label="Search"
          onClose={() => setOpen(false)}
          onClick={(event) => {
            // The target of a click on the backdrop is the dialog element.
            if (event.target === event.currentTarget) event.currentTarget.close();
          }}
          className="m-auto mt-[10vh] w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-card border border-line bg-panel p-0 text-ink shadow-card backdrop:bg-black/40"
        >
          <Palette />
        </dialog>
      ) : null}
    </>
  );
}

function Palette() {
  const [search, setSearch] = useState("");
  const [sections, setSections] = useState<readonly SearchSection[] | null>(null);
  const [failed, setFailed] = useState(false);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      try {
        const response = await fetch(`/-/search?search=${encodeURIComponent(search)}`, {
          signal: stop.signal,
        });
        setSections((await response.json()).sections);
        setFailed(!response.ok);
        setAt(0);
      } catch {
        if (!stop.signal.aborted) setFailed(true);
      }
    };
    const timer = setTimeout(read, search === "" ? 0 : WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [search]);
  const results = sections?.flatMap((section) => section.results) ?? [];
  const select = (index: number): void => {
    setAt(index);
    list.current?.querySelectorAll("a")[index]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: results.length - 1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      select((at + step) % results.length);
    }
    if (event.key === "Enter" && results[at] !== undefined) {
      event.preventDefault();
      list.current?.querySelectorAll("a")[at]?.click();
    }
  };
  let index = -1;
  return (
    <form action="/search" className="grid">
      <input
        name="search"
        type="text"
        role="combobox"
        aria-label="Search for projects, applications, settings and help"
        aria-expanded={results.length > 0}
        aria-controls="palette-results"
        aria-activedescendant={results.length > 0 ? `palette-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder="Project, application, setting, help…"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className="min-h-13 w-full border-line border-b bg-panel px-4 text-base outline-none placeholder:text-muted"
      />
      <div
        ref={list}
        id="palette-results"
        role="listbox"
        aria-label="Results"
        className="max-h-[60vh] overflow-y-auto p-2"
      >
        {(sections ?? []).map(({ title, results: rows }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no HTML element outside of select.
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden="true" className="px-2 pt-2 pb-1 text-small text-muted">
              {title}
            </p>
            {rows.map(({ label, detail, href }) => {
              index += 1;
              const own = index;
              return (
                <a
                  key={`${href} ${detail}`}
                  id={`palette-${own}`}
                  href={href}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === at}
                  onMouseMove={() => setAt(own)}
                  className="flex items-baseline justify-between gap-4 rounded-control px-2 py-2 text-ink no-underline aria-selected:bg-soft"
                >
                  <bdi className="min-w-0 truncate">{label}</bdi>
                  <span className="max-w-1/2 shrink-0 truncate text-small text-muted">{detail}</span>
                </a>
              );
            })}
          </div>
        ))}
      </div>
      <p role="status" className="px-4 pb-3 text-small text-muted empty:hidden">
        {failed
          ? "The results could not be loaded. Press Enter to open the search page."
          : sections !== null && results.length === 0
            ? "No results. Press Enter to open the search page."
            : ""}
      </p>
    </form>
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
