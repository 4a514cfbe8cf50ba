/** A step of a breadcrumb: an ancestor of the current page, or the current page. */
export type TrailStep = Readonly<{
  label: string;
  /** The URL of the page of this step; null for a step without a page. */
  href: string | null;
}>;

/** A breadcrumb, which contains the ancestors of the current page, and possibly the current page. */
export const Trail = ({ steps }: { readonly steps: readonly TrailStep[] }) => (
  <nav aria-label="Breadcrumb" className="min-w-0 text-muted text-small">
    <ol className="flex flex-wrap gap-x-2">
      {steps.map(({ label, href }, index) => (
        <li key={href ?? label} className="flex min-h-6 min-w-0 items-center gap-x-2">
          {index === 0 ? null : <span aria-hidden="true">/</span>}
          {href === null ? (
            <bdi className="line-clamp-1 break-all md:max-w-60">{label}</bdi>
          ) : (
            <a href={href} className="flex min-h-6 min-w-6 items-center text-muted">
              <bdi className="line-clamp-1 break-all md:max-w-60">{label}</bdi>
            </a>
          )}
        </li>
      ))}
    </ol>
  </nav>
);
