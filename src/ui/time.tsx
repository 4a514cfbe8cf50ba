const DAY = 86_400;
const STEPS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["day", DAY],
  ["hour", 3600],
  ["minute", 60],
] as const;

/**
 * The formatter is created only once, because the creation of a formatter takes longer than the formatting of
 * all times on a page.
 */
const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

type Moment = Readonly<{ at: Date; now: Date }>;

const secondsUntil = ({ at, now }: Moment): number => (at.getTime() - now.getTime()) / 1000;

/** Shows a past time as "3 months ago", with the exact time on hover. */
export function Ago(moment: Moment) {
  const seconds = Math.max(0, -secondsUntil(moment));
  const [unit, size] = STEPS.find(([, least]) => seconds >= least) ?? ["second", 1];
  return (
    <Time at={moment.at}>{seconds < 60 ? "just now" : WORDS.format(-Math.floor(seconds / size), unit)}</Time>
  );
}

/** Shows a time as "in 30 days", or as "2 days ago" if the time has passed, with the exact time on hover. */
export function Until(moment: Moment) {
  const days = secondsUntil(moment) / DAY;
  return (
    <Time at={moment.at}>
      {days >= 0 && days < 1
        ? "within a day"
        : WORDS.format(days < 0 ? Math.trunc(days) : Math.round(days), "day")}
    </Time>
  );
}

function Time({ at, children }: { readonly at: Date; readonly children: string }) {
  return (
    <time
      dateTime={at.toISOString()}
      title={at.toISOString().replace("T", " ").slice(0, 19).concat(" UTC")}
      className="whitespace-nowrap"
    >
      {children}
    </time>
  );
}
