/** A section of a page: the id of its element, and its heading. */
export type Section = Readonly<{ id: string; label: string }>;

/**
 * The links to the sections of a long page. The row of links stays at the top of the window, and scrolls
 * horizontally when it is too wide. The stylesheet places the target of a link below the row, so that the row
 * of links does not cover the target.
 */
export const SectionNav = ({ sections }: { readonly sections: readonly Section[] }) => (
  <nav
    aria-label="Sections"
    className="section-nav sticky top-0 z-10 -mx-4 min-w-0 border-line border-b bg-ground px-4 sm:mx-0 sm:px-0"
  >
    <ul className="scroll-row flex gap-4">
      {sections.map(({ id, label }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="flex min-h-11 items-center px-1 text-muted whitespace-nowrap no-underline hover:text-ink"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
