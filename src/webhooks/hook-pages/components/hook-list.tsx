import { Badge } from "@/ui/badge";
import { EmptyState } from "@/ui/empty-state";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { type HookKind, TRIGGERS } from "../../hooks/rules";
import { hooksPath, type ListedHook } from "../loaders";

const STATUS_LABELS = {
  executable: null,
  temporarily_disabled: "Paused after failures",
  disabled: "Disabled after failures",
} as const satisfies Record<ListedHook["status"], string | null>;

/** The list of the webhooks of an owner. Each row has a link to the page of the webhook. */
export function HookList(props: {
  readonly kind: HookKind;
  readonly owner: string;
  readonly hooks: readonly ListedHook[];
  readonly now: Date;
}) {
  if (props.hooks.length === 0)
    return (
      <EmptyState title="No webhooks">
        A webhook sends a request to the URL of another program when an event occurs, such as a push.
      </EmptyState>
    );
  return (
    <Rows>
      {props.hooks.map((hook) => (
        <Row key={hook.id}>
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
            <div className="flex flex-wrap items-center gap-2 md:flex-nowrap">
              <a href={`${hooksPath(props.kind, props.owner)}/${hook.id}`} className="min-w-0 font-semibold">
                <OneLine text={hook.name === "" ? hook.url : hook.name} />
              </a>
              {STATUS_LABELS[hook.status] === null ? null : <Badge>{STATUS_LABELS[hook.status]}</Badge>}
            </div>
            <p className="flex flex-wrap gap-x-1 text-muted text-small md:flex-nowrap">
              <OneLine text={aboutHook(hook)} />{" "}
              <span className="shrink-0">
                · created <Ago at={hook.createdAt} now={props.now} />
              </span>
            </p>
          </div>
        </Row>
      ))}
    </Rows>
  );
}

/** Returns the URL of a webhook that has a name, and the events of the webhook. */
function aboutHook({ name, url, triggers }: ListedHook): string {
  const events =
    triggers.length === 0 ? "No events" : triggers.map((trigger) => TRIGGERS[trigger].label).join(", ");
  return name === "" ? events : `${url} · ${events}`;
}
