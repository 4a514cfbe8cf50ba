const DAY_MS = 86_400_000;

/** "in 30 days", with the exact time on hover; for what is over, "2 days ago". */
export function Until(props: { readonly at: Date; readonly now: Date }) {
  const days = (props.at.getTime() - props.now.getTime()) / DAY_MS;
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const text = days >= 0 && days < 1 ? "within a day" : words.format(Math.trunc(days), "day");
  return (
    <time
      dateTime={props.at.toISOString()}
      title={props.at.toISOString().replace("T", " ").slice(0, 19).concat(" UTC")}
    >
      {text}
    </time>
  );
}
