import type { Entry } from "@/http-api/reference";
import { Path } from "./path";

/** One endpoint of the API reference: the callers who may use it, its parameters and its response. */
export function EntryArticle({ entry }: { readonly entry: Entry }) {
  const { anchor, method, path, summary, audience, scopes, parameters } = entry;
  return (
    <article
      id={anchor}
      className="grid min-w-0 gap-3 rounded-card border border-line bg-panel p-4 sm:p-6"
      aria-labelledby={`${anchor}-title`}
    >
      <h2 id={`${anchor}-title`} className="font-semibold wrap-anywhere">
        {summary}
      </h2>
      <p>
        <a href={`#${anchor}`} className="font-mono text-small text-ink no-underline wrap-anywhere">
          <span className="mr-2 rounded-full bg-soft px-2 py-0.5 font-semibold text-accent">{method}</span>
          <Path path={path} />
        </a>
      </p>
      <p className="text-small text-muted">
        For {audience}. Requires one of the scopes{" "}
        <span className="font-mono wrap-anywhere">{scopes.join(", ")}</span>.
        {entry.isList ? " Returns a paginated list: use page, per_page and the Link header." : null}
      </p>
      {parameters.length === 0 ? null : <Parameters parameters={parameters} />}
      <Lines label="Example request" lines={entry.command} />
      {entry.response === null ? (
        <p className="text-small text-muted">
          Returns status {entry.status} {entry.isFile ? "and the file" : "without a body"}.
        </p>
      ) : (
        <Lines label={`Response, ${entry.status}`} lines={entry.response} />
      )}
    </article>
  );
}

/** The parameter styles are set once on the list element, because the page has hundreds of parameters. */
const Parameters = ({ parameters }: Pick<Entry, "parameters">) => (
  <dl className="divide-y divide-line border-y border-line text-small [&>div]:grid [&>div]:gap-x-4 [&>div]:py-2 sm:[&>div]:grid-cols-[14rem_minmax(0,1fr)] [&_dd]:min-w-0 [&_dd]:break-words [&_dt]:min-w-0 [&_dt]:font-mono [&_dt]:wrap-anywhere [&_i]:text-muted [&_i]:not-italic">
    {parameters.map(({ name, type, place, about }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <i>
            {type}, in the {place}.
          </i>{" "}
          {about}
        </dd>
      </div>
    ))}
  </dl>
);

const Lines = ({ label, lines }: { readonly label: string; readonly lines: string }) => (
  <details className="min-w-0">
    <summary className="cursor-pointer text-small font-semibold">{label}</summary>
    <pre className="mt-2 whitespace-pre-wrap wrap-anywhere rounded-group border border-line bg-ground p-3 font-mono text-small">
      <code>{lines}</code>
    </pre>
  </details>
);
