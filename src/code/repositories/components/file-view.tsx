import { Fact, Facts } from "@/ui/card";
import { Notice } from "@/ui/notice";
import { codeAddress } from "../code-url";
import type { loadFile } from "../loaders";
import type { ShownText } from "../shown-text";
import { CommitLine } from "./commit-list";

type Props = Readonly<Awaited<ReturnType<typeof loadFile>>>;

/** A file: what there is to know of it, and its text. */
export function FileView({ head, sizeBytes, isLink, last, shown, raw, now }: Props) {
  return (
    <>
      <Facts>
        <Fact name="Size">
          {sizeWords(sizeBytes)}
          {shown.kind === "text" ? `, ${counted(shown.lines, "line")}` : null}
          {isLink ? ", a link to what it says" : null}
          {raw === null ? null : (
            <>
              {" · "}
              <a href={raw}>Raw</a>
            </>
          )}
        </Fact>
        <Fact name="Last commit">
          <CommitLine project={head.place.project} commit={last} now={now} />
          <a href={codeAddress("commits", head.place)} className="text-small">
            All commits of this file
          </a>
        </Fact>
      </Facts>
      <Content shown={shown} raw={raw} />
    </>
  );
}

function Content({ shown, raw }: { readonly shown: ShownText; readonly raw: string | null }) {
  const elsewhere = raw === null ? "Clone the repository" : "Take it raw, or clone the repository,";
  if (shown.kind === "binary")
    return <p className="text-muted">It is binary, so there is no text to show. {elsewhere} to have it.</p>;
  if (shown.kind === "large")
    return <p className="text-muted">It is too large to be shown here. {elsewhere} to read it.</p>;
  if (shown.lines === 0) return <p className="text-muted">It is empty.</p>;
  return (
    <>
      {shown.turned ? <TurnedNotice /> : null}
      <Lines text={shown.text} count={shown.lines} />
    </>
  );
}

/** Two texts side by side: an element for each of thousands of lines would weigh more than the lines. */
function Lines({ text, count }: { readonly text: string; readonly count: number }) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1).join("\n");
  return (
    <section
      aria-label="Text of the file"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-panel text-small"
    >
      <div dir="ltr" className="flex w-max min-w-full">
        <pre
          aria-hidden="true"
          className="sticky left-0 shrink-0 border-line border-r bg-panel px-3 py-3 text-right font-mono text-muted select-none"
        >
          {numbers}
        </pre>
        <pre className="grow px-3 py-3 font-mono [tab-size:4]">
          <code>{text}</code>
        </pre>
      </div>
    </section>
  );
}

/** Says that characters have been written out which would have changed how the text reads. */
export const TurnedNotice = () => (
  <Notice kind="warning">
    There are characters in it that change the direction of text, so that it can read otherwise than a program
    takes it. They are written out here, as [U+202E] is.
  </Notice>
);

const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

function sizeWords(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, "byte");
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
