import { anchorOf } from "@/http-api/versions";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog";

/** What v4 has and v5 has not, with what to do instead; answers that carry such a thing link here. */
export const V5Section = () => (
  <section aria-labelledby="v5" className="grid min-w-0 gap-4">
    <h2 id="v5" className="mt-4 text-title font-semibold">
      What v5 leaves out
    </h2>
    <p className="text-muted">
      Version 5 is a preview below <code className="font-mono">/api/v5</code>: the same as v4, without the
      following. Answers of v4 that carry one of these have the header{" "}
      <code className="font-mono">Deprecation</code>. Whether your own programs use any of it is on{" "}
      <a href="/user_settings/api_v5">Ready for v5</a>.
    </p>
    <dl className="grid gap-3 rounded-card border border-line bg-panel p-4 text-small sm:p-6">
      {Object.entries(DEPRECATIONS).map(([name, { item, instead }]) => (
        <div key={name} id={anchorOf(name)} className="grid min-w-0 gap-1 wrap-anywhere">
          <dt className="font-semibold">
            <Words of={item} />
          </dt>
          <dd className="text-muted">
            <Words of={instead} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** Words between backquotes are names. */
const Words = ({ of }: { readonly of: string }) =>
  of.split("`").map((part, at) => {
    // A sentence never changes its parts' order.
    const key = `${at}`;
    return at % 2 === 0 ? (
      <span key={key}>{part}</span>
    ) : (
      <code key={key} className="font-mono">
        {part}
      </code>
    );
  });
