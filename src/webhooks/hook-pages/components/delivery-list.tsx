import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Ago } from "@/ui/time";
import { isTrigger, TRIGGERS } from "../../hooks/rules";
import { redeliver } from "../actions";
import type { LoadedHook } from "../loaders";

type Delivery = LoadedHook["deliveries"][number];

const STATE_LABELS: Readonly<Record<string, string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
};

/** Shows the newest messages of a webhook, each with its last request and response. */
export function DeliveryList({ kind, owner, webhook, deliveries, now }: LoadedHook) {
  if (deliveries.length === 0)
    return <p className="text-muted">This webhook has no messages from the last 7 days.</p>;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="grid gap-2 py-3">
          <details>
            <summary className="flex min-h-8 cursor-pointer flex-wrap items-center gap-2">
              <Badge>{STATE_LABELS[delivery.state] ?? delivery.state}</Badge>
              <span className="font-semibold">
                {isTrigger(delivery.trigger) ? TRIGGERS[delivery.trigger].label : delivery.trigger}
              </span>
              <span className="text-muted text-small">
                {resultOf(delivery)} · <Ago at={delivery.createdAt} now={now} />
              </span>
            </summary>
            <div className="mt-3 grid gap-3">
              <Exchange title="Request" headers={delivery.requestHeaders} body={delivery.body} />
              <Exchange
                title="Response"
                headers={delivery.responseHeaders}
                body={delivery.responseBody ?? delivery.lastError}
              />
              <form action={redeliver}>
                <input type="hidden" name="kind" value={kind} />
                <input type="hidden" name="owner" value={owner} />
                <input type="hidden" name="hook" value={webhook.id} />
                <input type="hidden" name="delivery" value={delivery.id} />
                <Button size="small">Redeliver</Button>
              </form>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function resultOf({ attempts, responseStatus, lastError, durationMs }: Delivery): string {
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const result = responseStatus === null ? lastError : `${responseStatus} in ${durationMs} ms`;
  return result === null ? tries : `${result} · ${tries}`;
}

function Exchange(props: {
  readonly title: string;
  readonly headers: string | null;
  readonly body: string | null;
}) {
  if (props.headers === null && props.body === null) return null;
  const headers = Object.entries(JSON.parse(props.headers ?? "{}") as Record<string, string>);
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold text-small">{props.title}</h3>
      <pre className="max-h-80 overflow-auto rounded-control border border-line bg-ground p-3 font-mono text-small whitespace-pre-wrap wrap-anywhere">
        {[...headers.map(([name, value]) => `${name}: ${value}`), "", readable(props.body)].join("\n").trim()}
      </pre>
    </div>
  );
}

/** Returns a JSON text with line breaks and indentation. Any other text is returned unchanged. */
function readable(body: string | null): string {
  try {
    return body === null ? "" : JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body ?? "";
  }
}
