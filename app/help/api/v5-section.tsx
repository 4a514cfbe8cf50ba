import { TOKEN_INFO_ANCHOR } from "@/http-api/reference";
import { anchorOf } from "@/http-api/versions";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog";
import type { Section } from "@/ui/section-nav";

export const V5_SECTION: Section = { id: "v5", label: "Removed in v5" };

/**
 * The parts of API v4 that API v5 removes, with their replacements. Responses that contain a removed part
 * link to this section.
 */
export const V5Section = () => (
  <section aria-labelledby={V5_SECTION.id} className="grid min-w-0 gap-4">
    <h2 id={V5_SECTION.id} className="mt-4 text-heading font-semibold">
      {V5_SECTION.label}
    </h2>
    <p className="text-muted">
      API v5 is a preview at <code className="font-mono">/api/v5</code>. API v5 is the same as v4, but without
      the deprecated parts below. A response of API v4 has the header{" "}
      <code className="font-mono">Deprecation</code> if the request or the response uses a deprecated part. To
      see which of your programs use deprecated parts, open{" "}
      <a href="/user_settings/api_v5">Deprecated API usage</a>.
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
    <p id={TOKEN_INFO_ANCHOR} className="text-muted">
      The members <code className="font-mono">scopes</code> and{" "}
      <code className="font-mono">expires_in_seconds</code> of{" "}
      <code className="font-mono">GET /oauth/token/info</code> are deprecated, too. Read{" "}
      <code className="font-mono">scope</code> and <code className="font-mono">expires_in</code> instead.
    </p>
  </section>
);

/** Shows the text between backquotes in a monospaced font. */
const Words = ({ of }: { readonly of: string }) =>
  of.split("`").map((part, at) => {
    // The order of the deprecated parts never changes, so the index is a stable React key.
    const key = `${at}`;
    return at % 2 === 0 ? (
      <span key={key}>{part}</span>
    ) : (
      <code key={key} className="font-mono">
        {part}
      </code>
    );
  });
