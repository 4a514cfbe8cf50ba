"use client";

import { useActionState } from "react";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import type { ManagedApplication } from "../../applications/rules";
import type { MaintainerState } from "../actions";

type Props = Readonly<{
  application: Pick<ManagedApplication, "id" | "owner" | "maintainer" | "right">;
  add: (before: MaintainerState, form: FormData) => Promise<MaintainerState>;
  remove: (form: FormData) => Promise<void>;
}>;

/**
 * Shows the second maintainer of an application of a user. An application of a group has no second
 * maintainer, because every Owner of the group manages it.
 */
export function Maintainer({ application, add, remove }: Props) {
  const { owner, maintainer, right } = application;
  if (owner.kind === "group") return null;
  return (
    <Card
      id="section-maintainer"
      title="Second maintainer"
      about="The second maintainer can edit this application and its secrets, but cannot delete or transfer the application."
    >
      {maintainer === null ? (
        <Addition id={application.id} add={add} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 wrap-anywhere">
            <bdi className="font-semibold">{maintainer.name}</bdi>{" "}
            <span className="text-muted">@{maintainer.username}</span>
          </p>
          <Confirm
            id="remove-maintainer"
            size="small"
            summary={right === "own" ? "Remove" : "Leave"}
            title={right === "own" ? `Remove @${maintainer.username}?` : "Leave this application?"}
            question={
              right === "own"
                ? "The user can no longer edit the application. The secrets that the user knows keep working until you remove them."
                : "You can no longer edit the application. Only the owner of the application can add you again."
            }
          >
            <form action={remove}>
              <input type="hidden" name="id" value={application.id} />
              <Button kind="danger">{right === "own" ? "Remove the maintainer" : "Leave"}</Button>
            </form>
          </Confirm>
        </div>
      )}
    </Card>
  );
}

function Addition({ id, add }: Readonly<{ id: number; add: Props["add"] }>) {
  const [state, formAction, pending] = useActionState(add, { username: "", problem: null });
  return (
    <form
      key={JSON.stringify(state)}
      action={formAction}
      className="flex flex-wrap items-end gap-3"
      noValidate
    >
      {state.problem === null ? null : (
        <div className="w-full">
          <Notice kind="problem">No maintainer was added. Correct the error below.</Notice>
        </div>
      )}
      <input type="hidden" name="id" value={id} />
      <div className="min-w-56 flex-1">
        <Field
          id="maintainer"
          name="username"
          label="Username"
          defaultValue={state.username}
          problems={state.problem === null ? undefined : [state.problem]}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <Button disabled={pending}>Add maintainer</Button>
    </form>
  );
}
