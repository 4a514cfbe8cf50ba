"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { SearchSection } from "../rules";

const WAIT_MS = 120;

/** The search field of the command palette, and the results that it shows while the user types. */
export default function PaletteForm() {
  const [search, setSearch] = useState("");
  const [outcome, setOutcome] = useState<Readonly<{ search: string; sections: readonly SearchSection[] }>>();
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
        setFailed(!response.ok);
        if (!response.ok) return;
        const { sections } = await response.json();
        setOutcome({ search, sections });
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
  const results = outcome?.sections.flatMap((section) => section.results) ?? [];
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
    // If the displayed results belong to an earlier text, the browser submits the form to the search page.
    if (event.key === "Enter" && outcome?.search === search && results[at] !== undefined) {
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
        // biome-ignore lint/a11y/noAutofocus: the dialog opens before the field is loaded.
        autoFocus
        className="min-h-13 w-full border-line border-b bg-panel px-4 text-base -outline-offset-2 placeholder:text-muted"
      />
      <div
        ref={list}
        id="palette-results"
        role="listbox"
        aria-label="Results"
        className="max-h-[60vh] overflow-y-auto p-2"
      >
        {outcome?.sections.map(({ title, results: rows }) => (
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
          : outcome !== undefined && results.length === 0
            ? "No results. Press Enter to open the search page."
            : ""}
      </p>
    </form>
  );
}
