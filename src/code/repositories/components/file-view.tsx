import { visibleName } from "@/kernel/text/visible";
import { Fact, Facts } from "@/ui/card";
import { Markdown } from "@/ui/markdown";
import { Notice } from "@/ui/notice";
import { Tabs } from "@/ui/tabs";
import { codePageUrl } from "../code-url";
import type { loadFile } from "../loaders";
import type { ShownText } from "../shown-text";
import { CommitLine } from "./commit-list";

type Props = Readonly<Awaited<ReturnType<typeof loadFile>>>;

/** A file: its size, its last commit, and its text. */
export function FileView({ head, sizeBytes, isLink, last, shown, html, source, raw, picture, now }: Props) {
  return (
    <>
      <Facts>
        <Fact name="Size">
          {sizeText(sizeBytes)}
          {shown.kind === "text" ? `, ${counted(shown.lines, "line")}` : null}
          {isLink ? ", a symbolic link to the path below" : null}
          {raw === null ? null : (
            <>
              {" · "}
              <a href={raw}>Raw</a>
            </>
          )}
        </Fact>
        <Fact name="Last commit">
          <CommitLine project={head.location.project} commit={last} now={now} />
          <a href={codePageUrl("commits", head.location)} className="text-small">
            All commits of this file
          </a>
        </Fact>
      </Facts>
      {source === null ? null : <SourceTabs source={source} />}
      {html === null ? null : <MarkdownCard html={html} hasBidi={shown.kind === "text" && shown.hasBidi} />}
      {html !== null ? null : picture === null ? (
        <Content shown={shown} raw={raw} />
      ) : (
        // biome-ignore lint/performance/noImgElement: the server does not scale pictures of repositories.
        <img
          src={picture}
          alt={`Content of ${visibleName(head.location.path)}`}
          className="max-w-full justify-self-start rounded-card border border-line bg-panel"
        />
      )}
    </>
  );
}

/** The tabs of a Markdown file. The parameter `plain=1` selects the source text, as in GitLab. */
function SourceTabs({ source }: { readonly source: NonNullable<Props["source"]> }) {
  const url = codePageUrl("file", source);
  const tabs = [
    { label: "Preview", href: url, current: !source.isShown },
    { label: "Source", href: `${url}&plain=1`, current: source.isShown },
  ];
  return <Tabs label="View" tabs={tabs} />;
}

/** A rendered Markdown text. */
export const MarkdownCard = ({ html, hasBidi }: { readonly html: string; readonly hasBidi: boolean }) => (
  <>
    {hasBidi ? <BidiNotice /> : null}
    <div className="rounded-card border border-line bg-panel p-4">
      <Markdown html={html} />
    </div>
  </>
);

function Content({ shown, raw }: { readonly shown: ShownText; readonly raw: string | null }) {
  const instruction = raw === null ? "Clone the repository" : "Open the raw file or clone the repository";
  if (shown.kind === "binary")
    return <p className="text-muted">This file is binary. {instruction} to get the content.</p>;
  if (shown.kind === "large")
    return <p className="text-muted">This file is too large to display. {instruction} to read the file.</p>;
  if (shown.lines === 0) return <p className="text-muted">This file is empty.</p>;
  return (
    <>
      {shown.hasBidi ? <BidiNotice /> : null}
      <Lines text={shown.text} count={shown.lines} />
    </>
  );
}

/**
 * The text of the file is one HTML element, because one element per line of text would make large files slow.
 * Each line number is an element with an id such as `L12`, so that a URL can refer to a line, as in GitLab.
 */
function Lines({ text, count }: { readonly text: string; readonly count: number }) {
  const numbers = Array.from({ length: count }, (_, at) => `<span id="L${at + 1}">${at + 1}</span>`).join(
    "\n",
  );
  return (
    <section
      aria-label="Text of the file"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the text.
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-panel text-small"
    >
      <div dir="ltr" className="flex w-max min-w-full">
        <pre
          aria-hidden="true"
          className="sticky left-0 shrink-0 border-line border-r bg-panel px-3 py-3 text-right font-mono text-muted select-none [&_:target]:bg-accent [&_:target]:text-on-accent"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup contains only numbers.
          dangerouslySetInnerHTML={{ __html: numbers }}
        />
        <pre className="grow px-3 py-3 font-mono [tab-size:4]">
          <code>{text}</code>
        </pre>
      </div>
    </section>
  );
}

/** A warning for files and changes that contain bidirectional control characters. */
export const BidiNotice = () => (
  <Notice kind="warning">
    This text contains characters that change the direction of text and can hide the effect of source code.
    The page shows each of these characters as its code point, such as [U+202E].
  </Notice>
);

const counted = (count: number, unit: string): string =>
  `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;

function sizeText(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, "byte");
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
