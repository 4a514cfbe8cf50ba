import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Field } from "@/ui/field";
import type { ApplicationOwner, ManagedApplication } from "../../applications/rules";

/** Shows the user or the group that owns an application. */
export const OwnerName = ({ owner }: { readonly owner: ApplicationOwner }) => (
  <span className="wrap-anywhere">
    {owner.kind === "group" ? (
      <>
        Group <a href={`/groups/${owner.id}`}>{owner.path}</a>
      </>
    ) : (
      <>@{owner.path}</>
    )}
  </span>
);

/**
 * Shows the form that begins the transfer of an application to another owner. The next page asks the user to
 * confirm the transfer.
 */
export const Transfer = ({ application }: { readonly application: ManagedApplication }) => (
  <Card
    id="section-transfer"
    title="Transfer"
    about="The new owner manages the application. The tokens and secrets of the application keep working. You must be an Owner of the new group."
  >
    <form
      action={`/user_settings/applications/${application.id}/transfer`}
      className="flex flex-wrap items-end gap-3"
    >
      <div className="min-w-56 flex-1">
        <Field
          id="transfer-to"
          name="to"
          label="New owner"
          hint={
            application.owner.kind === "group"
              ? "The full path of a group, or your username."
              : "The full path of a group."
          }
          required
          maxLength={1024}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <Button>Continue</Button>
    </form>
  </Card>
);
