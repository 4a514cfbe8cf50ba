import { OneLine } from "@/ui/one-line";
import { StaticMarkup } from "@/ui/static-markup";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import type { loadErrors } from "../loaders";
import { BULK_FORM, BulkActions } from "./bulk-actions";
import { CountsPlot, CountsScale } from "./counts-plot";
import { LevelBadge, RegressedBadge, StatusBadge } from "./error-badges";

type Page = Awaited<ReturnType<typeof loadErrors>>;
type Row = Page["errors"][number];

const RANGE_COLUMN = { "24h": "24 hours", "14d": "14 days" } as const;

/** A table of tracked errors with their counts and times. */
export function ErrorTable(
  props: Pick<Page, "errors" | "home" | "search" | "total" | "mayChangeStatus" | "projectId" | "now">,
) {
  const { errors, home, search, mayChangeStatus, now } = props;
  const columns: readonly Column[] = [
    { name: "Error", width: "rest" },
    { name: RANGE_COLUMN[search.range] },
    { name: "Events" },
    { name: "People" },
  ];
  const rows = errors.map((error) => ({
    key: error.id,
    cells: [
      <div key="error" className="flex min-w-0 gap-3 md:items-center">
        {mayChangeStatus ? (
          <input
            type="checkbox"
            name="error"
            value={error.id}
            form={BULK_FORM}
            aria-label={`Select ${error.name}`}
            className="mt-0.5 size-5 shrink-0 accent-accent md:mt-0"
          />
        ) : null}
        <ErrorSummary error={error} home={home} now={now} showsStatus={search.status === "all"} />
      </div>,
      <div key="plot" className="w-32 max-w-full md:w-36 md:[&_svg]:h-5">
        <CountsPlot points={error.points} range={search.range} />
        <CountsScale points={error.points} range={search.range} />
      </div>,
      <span key="events" className="tabular-nums">
        {error.eventCount.toLocaleString("en")}
      </span>,
      <span key="people" className="tabular-nums">
        {error.userCount.toLocaleString("en")}
      </span>,
    ],
  }));
  return (
    <>
      {mayChangeStatus ? <BulkActions {...props} /> : null}
      <Table caption="Errors" columns={columns} rows={rows} isRefreshed />
    </>
  );
}

function ErrorSummary(props: {
  readonly error: Row;
  readonly home: string;
  readonly now: Date;
  readonly showsStatus: boolean;
}) {
  const { error, home, now, showsStatus } = props;
  return (
    <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1 md:gap-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 md:flex-nowrap">
        <OneLine text={`${error.name} ${error.message}`.trim()} className="max-md:line-clamp-3">
          <a href={`${home}/${error.id}`} className="-outline-offset-2 font-semibold">
            <bdi>{error.name}</bdi>
          </a>
          {error.message === "" || error.message === error.name ? null : (
            <>
              {" "}
              <bdi className="text-small">{error.message}</bdi>
            </>
          )}
        </OneLine>
        <LevelBadge level={error.level} />
        {showsStatus ? <StatusBadge status={error.status} /> : null}
        {error.regressedAt === null ? null : <RegressedBadge />}
      </p>
      {/* This line has no link and no field, so a refresh can replace the line. */}
      <StaticMarkup>
        <p className="grid gap-1 text-muted text-small md:flex md:gap-x-2">
          {error.culprit === "" ? null : (
            <OneLine text={error.culprit} className="font-mono max-md:line-clamp-1" />
          )}
          <span className="md:shrink-0">
            Last seen <Ago at={error.lastSeenAt} now={now} />, first <Ago at={error.firstSeenAt} now={now} />
          </span>
        </p>
      </StaticMarkup>
    </div>
  );
}
