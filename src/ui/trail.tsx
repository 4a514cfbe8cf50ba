/** A step of a breadcrumb: a page above the current page, or the current page. */
export type TrailStep = Readonly<{ label: string; href: string }>;

/** A breadcrumb. The last step is the page, or the section, that is shown. */
export const Trail = ({ steps }: { readonly steps: readonly TrailStep[] }) => (
  <nav aria-label="Breadcrumb" className="text-muted text-small">
    <ol className="flex flex-wrap gap-x-2">
      {steps.map(({ label, href }, index) => (
        <li key={href} className="flex min-h-6 min-w-0 items-center gap-x-2">
          {index === 0 ? null : <span aria-hidden="true">/</span>}
          <a href={href} className="flex min-h-6 min-w-6 items-center text-muted">
            <bdi className="line-clamp-1 wrap-anywhere">{label}</bdi>
          </a>
        </li>
      ))}
    </ol>
  </nav>
);
