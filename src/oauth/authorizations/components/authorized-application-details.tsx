import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import type { GrantsPage } from "../loaders";
import { RevokeApplication, RevokeUnnamed, ScopeSentences } from "./authorized-application-list";
import { GrantList } from "./grant-list";

/** Shows a page of the tokens that one application has for the account of the user. */
export function AuthorizedApplicationDetails(props: {
  readonly page: GrantsPage;
  readonly revokeGrant: (form: FormData) => Promise<void>;
  readonly revokeApplication: (form: FormData) => Promise<void>;
  readonly revokeUnnamed: () => Promise<void>;
}) {
  const { application, grants, now, previous, next } = props.page;
  return (
    <>
      <PageHead
        title={application?.name ?? "Tokens without an application"}
        action={
          application === null ? (
            <RevokeUnnamed revoke={props.revokeUnnamed} />
          ) : (
            <RevokeApplication application={application} revoke={props.revokeApplication} />
          )
        }
      />
      {application === null ? null : <ScopeSentences scopes={application.scopes} />}
      {grants.length === 0 ? (
        <EmptyState title="No active tokens">
          New tokens are listed here, with the device that uses them.
        </EmptyState>
      ) : (
        <div className="rounded-group bg-panel">
          <GrantList
            grants={grants}
            now={now}
            revoke={props.revokeGrant}
            page={application === null ? "none" : String(application.id)}
          />
        </div>
      )}
      <Pager previous={previous} next={next} newestFirst />
    </>
  );
}
