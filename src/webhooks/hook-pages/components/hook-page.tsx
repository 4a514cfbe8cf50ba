import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { SelectField } from "@/ui/field";
import { type HookKind, TRIGGERS, triggersOf } from "../../hooks/rules";
import { changeWebhook, createWebhook, removeWebhook, testWebhook } from "../actions";
import type { ListedHook, LoadedHook } from "../loaders";
import type { HookForm as Values } from "../schema";
import { DeliveryList } from "./delivery-list";
import { HookForm } from "./hook-form";
import { HookList } from "./hook-list";
import { HookStatus } from "./hook-status";

type Listed = Pick<LoadedHook, "kind" | "owner" | "now"> &
  Readonly<{ hooks: readonly ListedHook[]; form: Values }>;

/** Returns the events that the form of a webhook offers, with their texts. */
const offeredTriggers = (kind: HookKind) =>
  triggersOf(kind).map((name) => ({ name, label: TRIGGERS[name].label, detail: TRIGGERS[name].detail }));

/** The content of the page that lists the webhooks of an owner and creates webhooks. */
export function HooksContent({ kind, owner, hooks, now, form }: Listed) {
  return (
    <>
      <HookList kind={kind} owner={owner} hooks={hooks} now={now} />
      <Card title="Create a webhook" about="Each message has a signature that the receiver can verify.">
        <HookForm
          action={createWebhook}
          kind={kind}
          owner={owner}
          hook={null}
          hasToken={false}
          triggers={offeredTriggers(kind)}
          form={form}
        />
      </Card>
    </>
  );
}

/** The content of the page of a webhook: its state, its messages and its settings. */
export function HookContent(props: LoadedHook) {
  const { kind, owner, webhook, form } = props;
  const reference = (
    <>
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="owner" value={owner} />
      <input type="hidden" name="hook" value={webhook.id} />
    </>
  );
  return (
    <>
      <HookStatus {...props} />
      <Card title="Recent deliveries" about="The last 20 messages of the last 7 days, without secrets.">
        {webhook.triggers.length === 0 ? null : (
          <form action={testWebhook} className="flex flex-wrap items-end gap-3">
            {reference}
            <SelectField id="trigger" name="trigger" label="Test with">
              {webhook.triggers.map((trigger) => (
                <option key={trigger} value={trigger}>
                  {TRIGGERS[trigger].label}
                </option>
              ))}
            </SelectField>
            <Button>Send test message</Button>
          </form>
        )}
        <DeliveryList {...props} />
      </Card>
      <Card title="Settings">
        <HookForm
          action={changeWebhook}
          kind={kind}
          owner={owner}
          hook={webhook.id}
          hasToken={webhook.hasToken}
          triggers={offeredTriggers(kind)}
          form={form}
        />
      </Card>
      <Card danger title="Delete this webhook" about="Deletes the webhook with its messages.">
        <div>
          <Confirm
            id="delete-webhook"
            summary="Delete webhook"
            title="Delete this webhook?"
            question="The receiver gets no more messages. Messages that are not sent yet are deleted."
          >
            <form action={removeWebhook}>
              {reference}
              <Button kind="danger">Delete webhook</Button>
            </form>
          </Confirm>
        </div>
      </Card>
    </>
  );
}
