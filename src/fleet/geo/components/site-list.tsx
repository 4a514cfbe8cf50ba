import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { EmptyState } from "@/ui/empty-state";
import { isolated } from "@/ui/isolated";
import { OneLine } from "@/ui/one-line";
import { Pager } from "@/ui/pager";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { deleteSite } from "../actions";
import type { SitesPage } from "../loaders";
import type { SiteStatus } from "../rules";

/** Shows the Geo sites with their health, and the buttons that edit and remove each site. */
export function SiteList({ sites, pager, now }: SitesPage) {
  if (sites.length === 0 && pager.previous === null)
    return (
      <EmptyState title="There are no Geo sites">
        Add this instance as the primary site, and then add the secondary sites.
      </EmptyState>
    );
  return (
    <>
      <Rows>
        {sites.map((status) => (
          <Site key={status.site.id} status={status} now={now} />
        ))}
      </Rows>
      <Pager {...pager} />
    </>
  );
}

function Site({ status, now }: { readonly status: SiteStatus; readonly now: Date }) {
  const { site, problem, missingApplication, updatedAt } = status;
  return (
    <Row>
      <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 md:flex-nowrap">
          <OneLine text={site.name} className="font-semibold max-md:line-clamp-3" />
          <Badge>{site.primary ? "primary" : "secondary"}</Badge>
          {site.enabled ? null : <Badge>disabled</Badge>}
        </p>
        <p className="text-small">
          <OneLine text={site.url} className="font-mono text-muted md:max-w-1/2" />
          {" · "}
          {problem === "" ? "Healthy" : <span className="text-danger wrap-anywhere">{problem}</span>}
          {updatedAt === null || site.primary ? null : (
            <span className="text-muted">
              {" "}
              · reported <Ago at={updatedAt} now={now} />
            </span>
          )}
        </p>
        {missingApplication ? (
          <p className="text-danger text-small">
            The OAuth application of this site is missing, so users cannot sign in to the site. To create the
            application again, change the URL of the site, or remove the site and add the site again.
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink size="small" href={`/admin/geo/sites/${site.id}/edit`}>
          Edit<span className="sr-only"> {site.name}</span>
        </ButtonLink>
        <Confirm
          id={`remove-site-${site.id}`}
          size="small"
          summary="Remove"
          title={`Remove ${isolated(site.name)}?`}
          question="The OAuth application with which users sign in to the site is also deleted. The data that the site has replicated is not deleted."
        >
          <form action={deleteSite}>
            <input type="hidden" name="id" value={site.id} />
            <Button kind="danger">Remove the site</Button>
          </form>
        </Confirm>
      </div>
    </Row>
  );
}
