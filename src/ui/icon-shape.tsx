/**
 * A decorative icon next to its label. The server passes the path of the icon, so that a script contains only the
 * icons that it needs.
 */
export const IconShape = ({ path }: { readonly path: string }) => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className="shrink-0"
  >
    <path d={path} />
  </svg>
);
