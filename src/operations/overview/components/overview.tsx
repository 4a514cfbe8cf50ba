import type { ReactNode } from "react";
import { PeriodTabs } from "@/instance/statistics/components/period-tabs";
import { labelsOf } from "@/instance/statistics/labels";
import { type Bar, PERIODS, type Period } from "@/instance/statistics/rules";
import { Card } from "@/ui/card";
import { Chart, numberText } from "@/ui/chart";
import { Notice } from "@/ui/notice";
import { OneLine } from "@/ui/one-line";
import { SectionNav } from "@/ui/section-nav";
import { Table } from "@/ui/table";
import type { Overview, TopApplication } from "../service";

const SECTIONS = [
  { id: "section-sign-ins", label: "Sign-ins" },
  { id: "section-tokens", label: "Tokens" },
  { id: "section-applications", label: "Top applications" },
  { id: "section-errors", label: "Error tracking" },
];

/** The content of the overview page of the administration. */
export function OverviewContent(props: { readonly overview: Overview; readonly period: Period }) {
  const { overview, period } = props;
  const { signIns, tokens, events, warnings } = overview;
  const labels = labelsOf(period, signIns.succeeded);
  return (
    <>
      {warnings.map(({ check, text }) => (
        <Notice key={check} kind="warning">
          <strong className="font-semibold">Warning about the {check}:</strong>{" "}
          <span className="whitespace-pre-line wrap-anywhere">{text}</span>
        </Notice>
      ))}
      {overview.failedChecks.map(({ name, text }) => (
        <Notice key={name} kind="warning">
          <strong className="font-semibold">
            The readiness check <code>{name}</code> fails:
          </strong>{" "}
          {text}
        </Notice>
      ))}
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Tile name="Active users" note={`signed in during the last ${PERIODS[period].label}`}>
          {numberText(overview.activeUsers)}
        </Tile>
        <Tile name="Database" note="size of the database">
          {bytesText(overview.databaseBytes)}
        </Tile>
        <Tile
          name="Migrations"
          note={
            overview.pendingMigrations === 0
              ? "all migrations are applied"
              : "restart the server to apply the migrations"
          }
        >
          {overview.pendingMigrations === 0 ? "None pending" : `${overview.pendingMigrations} pending`}
        </Tile>
        <Tile name="Version" note="of Gatehouse">
          {overview.version}
        </Tile>
      </dl>
      <SectionNav sections={SECTIONS} />
      <PeriodTabs path="/admin" period={period} />
      <Card id="section-sign-ins">
        <Chart
          title="Sign-ins"
          labels={labels}
          series={[
            { name: "Succeeded", tone: "accent", values: countsOf(signIns.succeeded) },
            { name: "Failed", tone: "danger", values: countsOf(signIns.failed) },
          ]}
        />
      </Card>
      <Card id="section-tokens">
        <Chart
          title="Tokens"
          labels={labels}
          series={[
            { name: "Issued", tone: "accent", values: countsOf(tokens.issued) },
            { name: "Refreshed", tone: "muted", values: countsOf(tokens.refreshed) },
          ]}
        />
      </Card>
      <TopApplications applications={overview.applications} period={period} />
      <Card id="section-errors">
        <Chart
          title="Events of error tracking"
          labels={labels}
          series={[
            { name: "Accepted", tone: "accent", values: countsOf(events.accepted) },
            { name: "Dropped", tone: "danger", values: countsOf(events.dropped) },
          ]}
        />
      </Card>
    </>
  );
}

const countsOf = (bars: readonly Bar[]): readonly number[] => bars.map(({ count }) => count);

const Tile = (props: { readonly name: string; readonly note: string; readonly children: ReactNode }) => (
  <div className="grid content-start gap-1 rounded-card border border-line bg-panel p-4">
    <dt className="text-small text-muted">{props.name}</dt>
    <dd className="text-heading font-semibold tabular-nums">{props.children}</dd>
    <dd className="text-small text-muted">{props.note}</dd>
  </div>
);

function TopApplications(props: {
  readonly applications: readonly TopApplication[];
  readonly period: Period;
}) {
  const { applications, period } = props;
  const title = "Top applications";
  return (
    <Card
      id="section-applications"
      title={title}
      about={
        applications.length === 0
          ? `No application received a token in the last ${PERIODS[period].label}.`
          : `The applications that received the most tokens in the last ${PERIODS[period].label}.`
      }
    >
      {applications.length === 0 ? null : (
        <Table
          caption={title}
          columns={[{ name: "Application", width: "rest" }, { name: "Tokens" }]}
          rows={applications.map(({ uid, id, name, count }) => ({
            key: uid,
            cells: [
              id === null ? (
                <OneLine key="name" text={name} />
              ) : (
                <a key="name" href={`/admin/applications/${id}`}>
                  <OneLine text={name} />
                </a>
              ),
              numberText(count),
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** Returns a size such as "24.3 MB". */
function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
