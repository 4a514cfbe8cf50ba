/** The logo: a gatehouse with two towers and an arch, drawn as one line. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M3 21V8l3-4h12l3 4v13h-5v-6a4 4 0 0 0-8 0v6z M3 9h18" />
    </svg>
  );
}
