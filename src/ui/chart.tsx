import type { ReactNode } from "react";
import { StaticMarkup } from "./static-markup";

const TONES = { accent: "fill-accent", danger: "fill-danger", muted: "fill-muted" } as const;

/** A series of a chart: a name, a color, and a number for each bar. */
export type Series = Readonly<{ name: string; tone: keyof typeof TONES; values: readonly number[] }>;

const HEIGHT = 100;
const WIDTH = 10;
/**
 * The minimum height of a bar. Without a minimum height, a bar for a single event would be invisible next to
 * a bar for a thousand events.
 */
const HEIGHT_MIN = 1.5;

/**
 * Returns the number at which the scale of a chart ends. The result is the smallest of the numbers 2, 4, 6,
 * 10, 20, 40, 60, 100… that is not less than `most`.
 */
export function scaleMax(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [2, 4, 6, 10, 20].map((factor) => factor * power).find((value) => value >= most) ?? most;
}

/**
 * A bar chart with a scale, a legend that shows the totals, and a table that shows the number of each bar.
 * The chart is drawn on the server. The bars of the series are stacked.
 * @param props.labels the time of each bar; the first, the middle and the last label are shown below the
 * chart.
 */
export function Chart(props: {
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly action?: ReactNode;
}) {
  const { title, labels, series } = props;
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = scaleMax(Math.max(...sums, 1));
  const totals = series.map(({ name, values }) => `${name}: ${numberText(sum(values))}`);
  const width = labels.length * WIDTH;
  return (
    <StaticMarkup>
      <figure className="grid min-w-0 gap-3">
        <figcaption className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <span className="font-semibold">{title}</span>
          <span className="flex flex-wrap gap-x-4 text-small text-muted">
            {series.map(({ name, tone }, index) => (
              <span key={name} className="inline-flex items-center gap-1.5">
                <svg aria-hidden="true" viewBox="0 0 8 8" className={`size-2.5 ${TONES[tone]}`}>
                  <rect width="8" height="8" rx="2" />
                </svg>
                {totals[index]}
              </span>
            ))}
          </span>
        </figcaption>
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-micro text-muted tabular-nums">
          <div aria-hidden="true" className="-my-2 flex h-36 flex-col justify-between text-right">
            <span>{numberText(top)}</span>
            <span>{numberText(top / 2)}</span>
            <span>0</span>
          </div>
          <svg
            role="img"
            aria-label={`${title}. ${totals.join(", ")}. The value of the largest bar is ${numberText(Math.max(...sums, 0))}.`}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="block h-32 w-full"
          >
            {[0, HEIGHT / 2, HEIGHT].map((y) => (
              <line
                key={y}
                x1={0}
                x2={width}
                y1={y}
                y2={y}
                stroke="var(--line)"
                strokeWidth={1}
                vectorEffect="non-scaling-stroke"
              />
            ))}
            {labels.map((label, index) => (
              <g key={label}>
                <Bar series={series} index={index} top={top} />
                {/* The hover area has the full height of the chart, so that users can also point at low bars. */}
                <rect x={index * WIDTH} y={0} width={WIDTH} height={HEIGHT} fill="transparent">
                  <title>
                    {[
                      label,
                      ...series.map(({ name, values }) => `${name}: ${numberText(values[index] ?? 0)}`),
                    ].join("\n")}
                  </title>
                </rect>
              </g>
            ))}
          </svg>
          <span />
          <div aria-hidden="true" className="mt-2 flex justify-between gap-2">
            <span>{labels[0]}</span>
            <span className="max-sm:hidden">{labels[Math.floor(labels.length / 2)]}</span>
            <span>{labels.at(-1)}</span>
          </div>
        </div>
        <details className="text-small">
          <summary className="cursor-pointer text-muted">Show the numbers as a table</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll the table. */}
          <div className="mt-2 max-h-80 overflow-auto rounded-group border border-line" tabIndex={0}>
            <table className="w-full text-left tabular-nums">
              <caption className="sr-only">{title}</caption>
              <thead>
                <tr className="text-muted">
                  <th scope="col" className="px-3 py-1.5 font-semibold">
                    From (UTC)
                  </th>
                  {series.map(({ name }) => (
                    <th key={name} scope="col" className="px-3 py-1.5 text-right font-semibold">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {labels.map((label, index) => (
                  <tr key={label} className="border-line border-t">
                    <th scope="row" className="px-3 py-1 font-normal whitespace-nowrap">
                      {label}
                    </th>
                    {series.map(({ name, values }) => (
                      <td key={name} className="px-3 py-1 text-right">
                        {numberText(values[index] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </figure>
    </StaticMarkup>
  );
}

function Bar(props: { readonly series: readonly Series[]; readonly index: number; readonly top: number }) {
  let below = HEIGHT;
  return props.series.map(({ name, tone, values }) => {
    const value = values[props.index] ?? 0;
    if (value === 0) return null;
    const height = Math.max(HEIGHT_MIN, (value / props.top) * HEIGHT);
    below -= height;
    return (
      <rect
        key={name}
        x={props.index * WIDTH + 1}
        y={below}
        width={WIDTH - 2}
        height={height}
        className={TONES[tone]}
        pointerEvents="none"
      />
    );
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const FORMAT = new Intl.NumberFormat("en");

/** Returns a number with separators between thousands. */
export const numberText = (value: number): string => FORMAT.format(value);
