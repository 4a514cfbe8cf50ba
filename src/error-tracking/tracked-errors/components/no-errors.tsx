import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { Reporting } from "../../settings/components/reporting";
import type { loadErrors } from "../loaders";

type Page = Awaited<ReturnType<typeof loadErrors>>;

/** The empty state of the list of tracked errors, which tells the user what to do next. */
export function NoErrors(
  props: Pick<Page, "tracking" | "mayConfigure" | "snippets" | "nothingYet" | "search" | "home">,
) {
  const { tracking, mayConfigure, snippets, nothingYet, search, home } = props;
  const settings = home.replace(/errors$/, "settings/error_tracking");
  if (tracking.kind === "external") return <ExternalTracking url={tracking.url} />;
  if (nothingYet && tracking.kind === "off")
    return (
      <EmptyState
        title="Error tracking is off"
        action={mayConfigure ? <ButtonLink href={settings}>Turn on error tracking</ButtonLink> : undefined}
      >
        {mayConfigure
          ? "Error tracking collects the errors that your programs report with a Sentry SDK."
          : "A maintainer of this project can turn on error tracking."}
      </EmptyState>
    );
  if (!nothingYet)
    return (
      <EmptyState title="No errors found">
        {search.status === "unresolved" && search.search === "" && search.environment === ""
          ? "All errors are resolved or ignored."
          : "Try another status, a shorter search, or another environment."}
      </EmptyState>
    );
  return (
    <Card
      title="No errors yet"
      about={
        snippets.length === 0
          ? "Programs need a client key to report errors. A maintainer can create a client key."
          : "Add this code to your program. The errors of the program then appear here."
      }
      action={mayConfigure ? <ButtonLink href={settings}>Client keys</ButtonLink> : undefined}
    >
      <Reporting snippets={snippets} />
    </Card>
  );
}

/** Shows a link to the external service that stores the tracked errors of the project. */
export const ExternalTracking = ({ url }: { readonly url: string }) => (
  <EmptyState title="The errors of this project are stored in another service">
    <a href={url} rel="noreferrer" className="wrap-anywhere">
      {url}
    </a>
  </EmptyState>
);
