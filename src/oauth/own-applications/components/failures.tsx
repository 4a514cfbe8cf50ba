import { Card } from "@/ui/card";
import { Ago } from "@/ui/time";
import { FAILURES } from "../../failed-exchanges/catalog";
import type { FailedExchange } from "../../failed-exchanges/failed-exchange";

/** Requests of the application that were refused, in words its developer can act on. */
export function Failures(props: { readonly failures: readonly FailedExchange[]; readonly now: Date }) {
  const { failures, now } = props;
  return (
    <Card
      title="Failed requests"
      about="The latest, with what to do. Ten a minute are kept at most, and the last hundred."
    >
      {failures.length === 0 ? (
        <p className="text-muted">
          None. When a code is not exchanged or a token is not refreshed, it says here why.
        </p>
      ) : (
        <ol className="divide-y divide-line rounded-group border border-line">
          {failures.map(({ id, endpoint, reason, address: ipAddress, at }) => (
            <li key={id} className="grid gap-1 px-4 py-3">
              <p className="font-semibold">{FAILURES[reason].what}</p>
              <p className="text-small">{FAILURES[reason].remedy}</p>
              <p className="text-muted text-small wrap-anywhere">
                <Ago at={at} now={now} /> · <code>{endpoint}</code> · from {ipAddress}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
