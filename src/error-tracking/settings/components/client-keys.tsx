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

/** What programs report with. A key is no secret, so it stays readable. */
export function ClientKeys({ id, keys, pager, now }: Pick<Settings, "id" | "keys" | "pager" | "now">) {
  return (
    <Card
      title="Client keys"
      about="A program reports to the DSN of a key, and can do nothing else with it: it may stand in the code of a web page. Give each program its own, to stop one without the others."
      action={
        <form action={createKey}>
          <input type="hidden" name="id" value={id} />
          <Button>Create key</Button>
        </form>
      }
    >
      {keys.length === 0 ? (
        <p className="text-muted">There is none, so no program can report. Create one.</p>
      ) : (
        <ul className="divide-y divide-line border-line border-t">
          {keys.map((key) => (
            <KeyRow key={key.id} id={id} clientKey={key} now={now} />
          ))}
        </ul>
      )}
      <Pager {...pager} words={{ newer: "Previous", older: "Next" }} />
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
          {clientKey.active ? "" : ", switched off"}
        </p>
        <Confirm
          id={`remove-key-${clientKey.id}`}
          size="small"
          summary="Remove"
          title={`Remove key ${clientKey.id}?`}
          question="Every program that reports with it is refused from then on. This cannot be undone."
        >
          <form action={removeKey}>
            <input type="hidden" name="id" value={id} />
            <input type="hidden" name="key_id" value={clientKey.id} />
            <Button kind="danger">Remove key {clientKey.id}</Button>
          </form>
        </Confirm>
      </div>
    </li>
  );
}
