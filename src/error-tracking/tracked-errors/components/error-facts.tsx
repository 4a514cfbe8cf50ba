import { Badge } from "@/ui/badge";
import { Card, Fact, Facts } from "@/ui/card";
import { Tabs } from "@/ui/tabs";
import { Ago } from "@/ui/time";
import type { Range } from "../rules";
import type { ErrorDetails, Facet, Point } from "../service";
import { CountsPlot } from "./counts-plot";

/** The counts, times, environments and releases of a tracked error. */
export function ErrorFacts({ error, now }: { readonly error: ErrorDetails; readonly now: Date }) {
  return (
    <Facts>
      <Fact name="Events">{error.eventCount.toLocaleString("en")}</Fact>
      <Fact name="People">
        {error.userCount === 0 ? "No user in the events" : error.userCount.toLocaleString("en")}
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
    </Facts>
  );
}

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
  const first = points[0]?.from;
  return (
    <Card>
      <Tabs
        label="Time range"
        tabs={[
          { label: "24 hours", href: home, current: range === "24h" },
          { label: "14 days", href: `${home}?range=14d`, current: range === "14d" },
        ]}
      />
      <CountsPlot points={points} range={range} size="large" />
      {first === undefined ? null : (
        <p aria-hidden="true" className="flex justify-between text-muted text-small">
          <span>
            {first
              .toISOString()
              .slice(0, range === "24h" ? 16 : 10)
              .replace("T", " ")}
          </span>
          <span>now, in UTC</span>
        </p>
      )}
    </Card>
  );
}
