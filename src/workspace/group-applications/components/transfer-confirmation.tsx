import { Button, ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";
import type { TransferPage } from "../loaders";
import type { TargetRefusal } from "../service";

const PROBLEMS: Readonly<Record<TargetRefusal, string>> = {
  unknown: "No group that you can see has this full path. Enter the full path of a group, or your username.",
  not_owner:
    "You are not an Owner of this group. Ask an Owner of the group to give you the role Owner first.",
  same: "The application already belongs to this owner. Enter another owner.",
};

/** Asks the user to confirm the transfer of an application, or shows why the transfer is not possible. */
export function TransferConfirmation(props: {
  readonly page: TransferPage;
  readonly transfer: (form: FormData) => Promise<void>;
}) {
  const { application, to, target } = props.page;
  const back = `/user_settings/applications/${application.id}`;
  return (
    <>
      <PageHead title="Transfer the application" />
      {typeof target === "string" ? (
        <>
          <Notice kind="problem">{PROBLEMS[target]}</Notice>
          <div>
            <ButtonLink href={back}>Back to the application</ButtonLink>
          </div>
        </>
      ) : (
        <Card
          title={
            <>
              Transfer this application to <bdi>{target.path}</bdi>?
            </>
          }
        >
          <ul className="grid list-disc gap-1 pl-5">
            {target.owner === "self" ? (
              <li>Only you can manage the application. The Owners of the group lose their access.</li>
            ) : (
              <li>
                Every Owner of the group <bdi className="wrap-anywhere">{target.name}</bdi> can manage and
                delete the application.
              </li>
            )}
            <li>
              The tokens and secrets of the application keep working. People see the new owner when they are
              asked for consent.
            </li>
            {application.maintainer === null ? null : (
              <li>@{application.maintainer.username} is no longer the second maintainer.</li>
            )}
            {application.trusted ? (
              <li>Unless you are an administrator, people are asked for consent again.</li>
            ) : null}
          </ul>
          <form action={props.transfer} className="flex flex-wrap gap-3">
            <input type="hidden" name="id" value={application.id} />
            <input type="hidden" name="to" value={to} />
            <Button kind="danger">Transfer the application</Button>
            <ButtonLink href={back}>Cancel</ButtonLink>
          </form>
        </Card>
      )}
    </>
  );
}
