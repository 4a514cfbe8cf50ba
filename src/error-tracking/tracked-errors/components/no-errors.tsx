import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { EmptyState } from "@/ui/empty-state";
import { Reporting } from "../../settings/components/reporting";
import type { loadErrors } from "../loaders";

type Page = Awaited<ReturnType<typeof loadErrors>>;

/** What stands where a project has no errors to show, and what to do about it. */
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
        action={mayConfigure ? <ButtonLink href={settings}>Turn it on</ButtonLink> : undefined}
      >
        {mayConfigure
          ? "Turn it on, and programs that run anywhere report their errors here."
          : "A maintainer of the project can turn it on."}
      </EmptyState>
    );
  if (!nothingYet)
    return (
      <EmptyState title="No error was found">
        {search.status === "unresolved" && search.search === "" && search.environment === ""
          ? "Nothing is unresolved."
          : "Try another status, fewer letters, or another environment."}
      </EmptyState>
    );
  return (
    <Card
      title="No errors yet"
      about={
        snippets.length === 0
          ? "There is no client key, so no program can report. A maintainer can create one."
          : "Put this into a program, and what it fails at is shown here a moment later."
      }
      action={mayConfigure ? <ButtonLink href={settings}>Client keys</ButtonLink> : undefined}
    >
      <Reporting snippets={snippets} />
    </Card>
  );
}

/** For a project whose errors another service keeps. */
export const ExternalTracking = ({ url }: { readonly url: string }) => (
  <EmptyState title="Another service keeps the errors of this project">
    <a href={url} rel="noreferrer" className="wrap-anywhere">
      {url}
    </a>
  </EmptyState>
);
