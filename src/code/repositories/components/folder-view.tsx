import { visibleName } from "@/kernel/text/visible";
import { OneLine } from "@/ui/one-line";
import { type CodeLocation, codePageUrl } from "../code-url";
import type { loadTree } from "../loaders";
import type { TreeEntry } from "../tree";
import { CommitLine } from "./commit-list";
import { BidiNotice, MarkdownCard } from "./file-view";

type Loaded = Awaited<ReturnType<typeof loadTree>>;
type Props = Readonly<{ location: CodeLocation; folder: NonNullable<Loaded["folder"]>; now: Date }>;

/**
 * The content of a folder page: the last commit that changed the folder, the entries of the folder, and the
 * README.
 */
export function FolderView({ location, folder, now }: Props) {
  const { entries, total, last, readme } = folder;
  return (
    <>
      <section aria-label="Files" className="rounded-card border border-line bg-panel">
        {last === undefined ? null : (
          <div className="border-line border-b px-4 py-3">
            <CommitLine project={location.project} commit={last} now={now} />
          </div>
        )}
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <li key={entry.path} className="px-4 py-2.5">
              <Entry entry={entry} location={location} />
            </li>
          ))}
        </ul>
      </section>
      {total === entries.length ? null : (
        <p className="text-muted">
          Showing the first {entries.length.toLocaleString("en")} of {total.toLocaleString("en")} entries.
          Clone the repository to see all entries.
        </p>
      )}
      {readme === null ? null : <Readme {...readme} />}
    </>
  );
}

function Entry({ entry, location }: { readonly entry: TreeEntry; readonly location: CodeLocation }) {
  // The slash is part of the line, because screen readers insert a space between a line and the next text.
  const text = `${visibleName(entry.name)}${entry.kind === "tree" ? "/" : ""}`;
  const name = <OneLine text={text} className="md:max-w-9/10" />;
  const url = (at: "tree" | "file") => codePageUrl(at, { ...location, path: entry.path });
  if (entry.kind === "commit")
    return (
      <>
        {name}{" "}
        <span className="text-muted text-small">
          submodule at <code>{entry.hash.slice(0, 8)}</code>
        </span>
      </>
    );
  if (entry.kind === "tree")
    return (
      <a href={url("tree")} className="font-semibold">
        {name}
      </a>
    );
  return (
    <>
      <a href={url("file")}>{name}</a>
      {entry.mode === "120000" ? <span className="text-muted text-small"> symbolic link</span> : null}
    </>
  );
}

/** The text of a README. Markdown is rendered; a README in another format is shown as plain text. */
function Readme({ name, shown, html }: NonNullable<Props["folder"]["readme"]>) {
  if (shown.kind !== "text" || shown.lines === 0) return null;
  return (
    <section aria-labelledby="readme" className="grid min-w-0 gap-3">
      <h2 id="readme" className="font-semibold">
        {name}
      </h2>
      {html === null ? <PlainReadme {...shown} /> : <MarkdownCard html={html} hasBidi={shown.hasBidi} />}
    </section>
  );
}

const PlainReadme = ({ text, hasBidi }: { readonly text: string; readonly hasBidi: boolean }) => (
  <>
    {hasBidi ? <BidiNotice /> : null}
    <pre
      dir="auto"
      className="whitespace-pre-wrap rounded-card border border-line bg-panel p-4 font-mono text-small wrap-anywhere"
    >
      <code>{text}</code>
    </pre>
  </>
);
