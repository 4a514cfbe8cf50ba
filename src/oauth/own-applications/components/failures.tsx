import { Card } from "@/ui/card";
import { Ago } from "@/ui/time";
import { FAILURES } from "../../failed-exchanges/catalog";
import type { FailedExchange } from "../../failed-exchanges/failed-exchange";

/** Lists the refused requests of the application, each with a remedy. */
export function Failures(props: { readonly failures: readonly FailedExchange[]; readonly now: Date }) {
  const { failures, now } = props;
  return (
    <Card
      id="section-failures"
      title="Failed requests"
      about="Refused requests of this application and how to fix them. The server records at most 10 refused requests per minute, and keeps the last 100."
    >
      {failures.length === 0 ? (
        <p className="text-muted">
          There are no failed requests. If the application cannot exchange an authorization code or refresh a
          token, the reason is shown here.
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
