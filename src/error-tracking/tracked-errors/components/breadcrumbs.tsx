import type { Breadcrumb } from "../breadcrumb";

/** The breadcrumbs of an event, newest last. */
export const Breadcrumbs = ({ crumbs }: { readonly crumbs: readonly Breadcrumb[] }) => (
  <ol className="divide-y divide-line">
    {crumbs.map((crumb, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list of one event never changes.
      <Crumb key={at} crumb={crumb} />
    ))}
  </ol>
);

function Crumb({ crumb: { at, kind, level, message, data } }: { readonly crumb: Breadcrumb }) {
  const time = at === null ? null : new Date(at).toISOString();
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-2 text-small sm:grid-cols-[4.5rem_8rem_minmax(0,1fr)]">
      <span className="text-muted tabular-nums">
        {time === null ? "" : <time dateTime={time}>{time.slice(11, 19)}</time>}
      </span>
      <span className="wrap-anywhere">
        {kind}
        {level === "" || level === "info" ? null : <strong> {level}</strong>}
      </span>
      <span className="grid min-w-0 gap-0.5">
        {message === "" ? null : (
          <span className="wrap-anywhere" dir="auto">
            {message}
          </span>
        )}
        {data.length === 0 ? null : (
          <code className="text-muted wrap-anywhere">
            {data.map(([name, value]) => `${name}=${value}`).join(" ")}
          </code>
        )}
      </span>
    </li>
  );
}
