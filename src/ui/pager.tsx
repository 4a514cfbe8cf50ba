/** Ways to the neighbouring pages of a list; nothing when all of it is here. */
export function Pager(props: { readonly newer: string | null; readonly older: string | null }) {
  if (props.newer === null && props.older === null) return null;
  return (
    <nav aria-label="Pages of this list" className="flex gap-4">
      {props.newer === null ? null : <a href={props.newer}>← Newer</a>}
      {props.older === null ? null : (
        <a href={props.older} className="ml-auto">
          Older →
        </a>
      )}
    </nav>
  );
}
