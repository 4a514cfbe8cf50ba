import type { ReactNode } from "react";
import { Badge } from "@/ui/badge";
import { Card } from "@/ui/card";
import { Chart } from "@/ui/chart";
import { Tabs } from "@/ui/tabs";
import { Ago } from "@/ui/time";
import type { Range } from "../rules";
import type { ErrorDetails, Facet, Point } from "../service";
import { labelOf, rangeWords } from "./counts-plot";
import { COUNTS_SECTION, FACTS_SECTION } from "./error-sections";

/** The counts, times, environments and releases of a tracked error. */
export function ErrorFacts({ error, now }: { readonly error: ErrorDetails; readonly now: Date }) {
  return (
    <dl
      id={FACTS_SECTION.id}
      className="grid content-start gap-3 rounded-card border border-line bg-panel p-4 text-small"
    >
      <Fact name="Events">{error.eventCount.toLocaleString("en")}</Fact>
      <Fact name="People">
        {error.userCount === 0 ? "No event contains a user" : error.userCount.toLocaleString("en")}
      </Fact>
      <Fact name="Last seen">
        <Ago at={error.lastSeenAt} now={now} />
      </Fact>
      <Fact name="First seen">
        <Ago at={error.firstSeenAt} now={now} />
      </Fact>
      {error.statusChangedAt === null ? null : (
        <Fact name="Status changed">
          <Ago at={error.statusChangedAt} now={now} />
        </Fact>
      )}
      <FacetFact name="Environments" facets={error.environments} />
      <FacetFact name="Releases" facets={error.releases} />
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid min-w-0 gap-0.5">
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
);

const FACETS_SHOWN = 12;

function FacetFact({ name, facets }: { readonly name: string; readonly facets: readonly Facet[] }) {
  if (facets.length === 0) return null;
  const more = facets.length - FACETS_SHOWN;
  return (
    <Fact name={name}>
      <ul className="flex flex-wrap items-center gap-1">
        {facets.slice(0, FACETS_SHOWN).map(({ value, eventCount }) => (
          <li key={value} className="max-w-full">
            <Badge>
              <span className="whitespace-normal wrap-anywhere">
                {value} <span className="tabular-nums">({eventCount.toLocaleString("en")})</span>
              </span>
            </Badge>
          </li>
        ))}
        {more > 0 ? <li className="text-muted text-small">and {more} more</li> : null}
      </ul>
    </Fact>
  );
}

/** The recent event counts of a tracked error, by hour or by day. */
export function ErrorCounts(props: {
  readonly points: readonly Point[];
  readonly range: Range;
  readonly home: string;
}) {
  const { points, range, home } = props;
  return (
    <Card id={COUNTS_SECTION.id}>
      <Tabs
        label="Time range"
        tabs={[
          { label: "24 hours", href: home, current: range === "24h" },
          { label: "14 days", href: `${home}?range=14d`, current: range === "14d" },
        ]}
      />
      <Chart
        title={`Events in ${rangeWords(range)}`}
        labels={points.map(({ from }) => labelOf(from, range))}
        series={[{ name: "Events", tone: "accent", values: points.map(({ count }) => count) }]}
      />
    </Card>
  );
}
