import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { CopyField } from "@/ui/copy-field";
import { Pager } from "@/ui/pager";
import { Ago } from "@/ui/time";
import { createKey, removeKey } from "../actions";
import type { loadTrackingSettings } from "../loaders";

type Settings = Awaited<ReturnType<typeof loadTrackingSettings>>;
type Key = Settings["keys"][number];

/** The client keys of a project with their DSNs. A client key is not a secret, so it stays visible. */
export function ClientKeys({ id, keys, pager, now }: Pick<Settings, "id" | "keys" | "pager" | "now">) {
  return (
    <Card
      title="Client keys"
      about="Programs report errors to the DSN of a client key. A DSN is not a secret, because it can only be used to report errors. Create a separate client key for each program, so that you can delete a key without affecting other programs."
      action={
        <form action={createKey}>
          <input type="hidden" name="id" value={id} />
          <Button>Create key</Button>
        </form>
      }
    >
      {keys.length === 0 ? (
        <p className="text-muted">Create a client key so that your programs can report errors.</p>
      ) : (
        <ul className="divide-y divide-line border-line border-t">
          {keys.map((key) => (
            <KeyRow key={key.id} id={id} clientKey={key} now={now} />
          ))}
        </ul>
      )}
      <Pager {...pager} />
    </Card>
  );
}

function KeyRow({
  id,
  clientKey,
  now,
}: {
  readonly id: number;
  readonly clientKey: Key;
  readonly now: Date;
}) {
  return (
    <li className="grid gap-3 py-4 last:pb-0">
      <CopyField id={`dsn-${clientKey.id}`} label={`DSN of key ${clientKey.id}`} value={clientKey.dsn} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted text-small">
          Created <Ago at={clientKey.createdAt} now={now} />
          {clientKey.active ? "" : ", inactive"}
        </p>
        <Confirm
          id={`remove-key-${clientKey.id}`}
          size="small"
          summary="Delete"
          title={`Delete key ${clientKey.id}?`}
          question="Programs that use this key can no longer report errors. You cannot undo the deletion."
        >
          <form action={removeKey}>
            <input type="hidden" name="id" value={id} />
            <input type="hidden" name="key_id" value={clientKey.id} />
            <Button kind="danger">Delete key {clientKey.id}</Button>
          </form>
        </Confirm>
      </div>
    </li>
  );
}
