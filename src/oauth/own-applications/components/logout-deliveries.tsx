import { Card } from "@/ui/card";
import { Ago } from "@/ui/time";
import type { LogoutDelivery } from "../logout-deliveries";

/** Lists the last logout tokens that were sent to the application, with their results. */
export function LogoutDeliveries(props: {
  readonly deliveries: readonly LogoutDelivery[];
  readonly now: Date;
}) {
  const { deliveries, now } = props;
  return (
    <Card
      id="section-logouts"
      title="Logout tokens"
      about="The latest logout tokens for this application. Failed deliveries are repeated for a day."
    >
      {deliveries.length === 0 ? (
        <p className="text-muted">
          No logout token was sent yet. When a user signs out, the result of the delivery is shown here.
        </p>
      ) : (
        <ol className="divide-y divide-line rounded-group border border-line">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="grid gap-1 px-4 py-3">
              <p className="font-semibold">{STATES[delivery.state]}</p>
              <p className="text-muted text-small wrap-anywhere">
                <Ago at={delivery.at} now={now} /> · {resultOf(delivery)} ·{" "}
                {delivery.attempts === 1 ? "1 attempt" : `${delivery.attempts} attempts`}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

const STATES: Readonly<Record<LogoutDelivery["state"], string>> = {
  delivered: "Delivered",
  failed: "Not delivered",
  waiting: "Waiting for the next attempt",
};

const resultOf = ({ responseStatus, lastError }: LogoutDelivery): string =>
  responseStatus === null ? (lastError ?? "No response") : `Status ${responseStatus}`;
