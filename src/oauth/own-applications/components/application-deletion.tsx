import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { isolated } from "@/ui/isolated";
import type { ManagedApplication } from "../../applications/rules";

/** Shows the consequences of the deletion of an application, and the button that deletes the application. */
export function ApplicationDeletion(props: {
  readonly application: ManagedApplication;
  readonly remove: (form: FormData) => Promise<void>;
}) {
  const { id, name } = props.application;
  return (
    <Card
      id="section-deletion"
      danger
      title="Delete this application"
      about="Users can no longer sign in with the application. All of its tokens, secrets and webhooks are deleted, and its Application ID stops working. You cannot undo the deletion."
    >
      <div>
        <Confirm
          id="delete"
          summary="Delete this application"
          title={`Delete ${isolated(name)}?`}
          question={
            <>
              <bdi className="wrap-anywhere">{name}</bdi> and all of its tokens stop working immediately. You
              cannot undo the deletion.
            </>
          }
        >
          <form action={props.remove} className="min-w-0">
            <input type="hidden" name="id" value={id} />
            <Button kind="danger" className="max-w-full whitespace-normal!">
              <span className="line-clamp-2 wrap-anywhere">
                Delete <bdi>{name}</bdi>
              </span>
            </Button>
          </form>
        </Confirm>
      </div>
    </Card>
  );
}
