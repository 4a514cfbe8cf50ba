import { StaticMarkup } from "./static-markup";

export type Bar = Readonly<{ label: string; count: number }>;

const HEIGHT = 32;
/**
 * The minimum height of a bar. Without a minimum height, a bar for a single event would be invisible next to
 * a bar for a thousand events.
 */
const LEAST = 2;

/**
 * A bar chart of counts over time. The chart fills the available width. Screen readers get a sentence that describes
 * the chart, and each bar shows its count on hover. A time without events has no bar.
 */
export function Plot(props: { readonly sentence: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...props.bars.map(({ count }) => count));
  const width = props.bars.length * 10;
  return (
    <StaticMarkup>
      <svg
        role="img"
        aria-label={props.sentence}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-8 w-full text-accent"
      >
        {/* The hover areas have the full height of the chart, so that users can also point at low bars. */}
        <g fill="transparent">
          {props.bars.map(({ label, count }, at) =>
            count === 0 ? null : (
              <path key={label} d={`M${at * 10} 0h10v${HEIGHT}h-10z`}>
                <title>{`${label}: ${count}`}</title>
              </path>
            ),
          )}
        </g>
        <path
          d={props.bars.map(({ count }, at) => barPath(at, heightOf(count, most))).join("")}
          fill="currentColor"
          pointerEvents="none"
        />
        <rect x={0} y={HEIGHT - 1} width={width} height={1} fill="var(--line)" />
      </svg>
    </StaticMarkup>
  );
}

const heightOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(LEAST, Math.round((count / most) * (HEIGHT - 1)));

const barPath = (at: number, height: number): string =>
  height === 0 ? "" : `M${at * 10 + 1} ${HEIGHT - 1}v-${height}h8v${height}z`;
