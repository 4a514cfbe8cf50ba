const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** "3 months ago", with the exact time on hover. */
export function Ago(props: { readonly at: Date; readonly now: Date }) {
  const seconds = Math.max(0, (props.now.getTime() - props.at.getTime()) / 1000);
  const [unit, size] = STEPS.find(([, least]) => seconds >= least) ?? ["second", 1];
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const text = seconds < 60 ? "just now" : words.format(-Math.floor(seconds / size), unit);
  return (
    <time
      dateTime={props.at.toISOString()}
      title={props.at.toISOString().replace("T", " ").slice(0, 19).concat(" UTC")}
    >
      {text}
    </time>
  );
}
