export type Bar = Readonly<{ label: string; count: number }>;

const HEIGHT = 32;
/**
 * The minimum height of a bar. Without a minimum height, a bar for a single event would be invisible next to
 * a bar for a thousand events.
 */
const LEAST = 2;

/**
 * A bar chart of counts over time. The chart fills the available width. Screen readers get a sentence that describes
 * the chart, and each bar shows its count on hover.
 */
export function Plot(props: { readonly sentence: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...props.bars.map(({ count }) => count));
  const width = props.bars.length * 10;
  return (
    <svg
      role="img"
      aria-label={props.sentence}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-8 w-full text-accent"
    >
      {props.bars.map(({ label, count }, at) => {
        const height = count === 0 ? 0 : Math.max(LEAST, Math.round((count / most) * (HEIGHT - 1)));
        return (
          <g key={label}>
            {/* The hover area has the full height of the chart, so that users can also point at low bars. */}
            <rect x={at * 10} y={0} width={10} height={HEIGHT} fill="transparent">
              <title>{`${label}: ${count}`}</title>
            </rect>
            <rect
              x={at * 10 + 1}
              y={HEIGHT - 1 - height}
              width={8}
              height={height}
              fill="currentColor"
              pointerEvents="none"
            />
          </g>
        );
      })}
      <rect x={0} y={HEIGHT - 1} width={width} height={1} fill="var(--line)" />
    </svg>
  );
}
