import { PeriodTabs } from "@/instance/statistics/components/period-tabs";
import { labelsOf } from "@/instance/statistics/labels";
import type { Bar, Period } from "@/instance/statistics/rules";
import { Card } from "@/ui/card";
import { Chart } from "@/ui/chart";
import type { ApplicationActivity } from "../activity";

/** Charts of the authorizations, tokens and failed requests of an application. @param props.path the URL of the page. */
export function ActivityCharts(props: {
  readonly activity: ApplicationActivity;
  readonly period: Period;
  readonly path: string;
}) {
  const { activity, period, path } = props;
  const labels = labelsOf(period, activity["token.issued"]);
  const counts = (bars: readonly Bar[]): readonly number[] => bars.map(({ count }) => count);
  return (
    <Card
      id="section-activity"
      title="Activity"
      about="The authorizations, tokens and failed requests of this application. All times are in UTC."
    >
      <PeriodTabs path={path} period={period} />
      <Chart
        title="Authorizations"
        labels={labels}
        series={[{ name: "Granted", tone: "accent", values: counts(activity["authorization.granted"]) }]}
      />
      <Chart
        title="Tokens"
        labels={labels}
        series={[
          { name: "Issued", tone: "accent", values: counts(activity["token.issued"]) },
          { name: "Refreshed", tone: "muted", values: counts(activity["token.refreshed"]) },
        ]}
      />
      <Chart
        title="Failed requests"
        labels={labels}
        series={[{ name: "Failed", tone: "danger", values: counts(activity["request.failed"]) }]}
      />
    </Card>
  );
}
