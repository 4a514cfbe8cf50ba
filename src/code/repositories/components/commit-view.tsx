import { visible, visibleName } from "@/kernel/text/visible";
import { Fact, Facts } from "@/ui/card";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import { codePageUrl, commitPageUrl } from "../code-url";
import type { loadCommit, ShownDiff } from "../loaders";
import type { Signature } from "../object-format";
import { titleOf } from "./commit-list";
import { FileChange } from "./diff-view";
import { BidiNotice } from "./file-view";

type Props = Readonly<Awaited<ReturnType<typeof loadCommit>>>;

/** A commit: its message, its author and committer, and its changes. */
export function CommitView({ project, commit, diffs, overflow, now }: Props) {
  const { hash, parents, author, committer, message } = commit;
  const isSameSignature = author.name === committer.name && author.email === committer.email;
  const rest = message.trim().split("\n").slice(1).join("\n").trim();
  return (
    <>
      <h1 className="font-semibold text-title wrap-anywhere">
        <bdi>{titleOf(commit)}</bdi>
      </h1>
      {rest === "" ? null : (
        <pre dir="auto" className="whitespace-pre-wrap font-sans wrap-anywhere">
          {visible(rest)}
        </pre>
      )}
      <Facts>
        <Fact name="Commit">
          <code className="text-small wrap-anywhere">{hash}</code>
          <p className="flex flex-wrap gap-x-4 text-small">
            <a href={codePageUrl("tree", { project, ref: hash, path: "" })}>Files at this commit</a>
            <a href={codePageUrl("commits", { project, ref: hash, path: "" })}>Commits up to this commit</a>
          </p>
        </Fact>
        <Fact name="Author">
          <Signed signature={author} now={now} />
        </Fact>
        {isSameSignature ? null : (
          <Fact name="Committer">
            <Signed signature={committer} now={now} />
          </Fact>
        )}
        <Fact name={parents.length > 1 ? "Parents" : "Parent"}>
          <Parents project={project} parents={parents} />
        </Fact>
      </Facts>
      <h2 className="font-semibold">{changesTitle(diffs.length, overflow, parents.length)}</h2>
      <Changes diffs={diffs} overflow={overflow} />
    </>
  );
}

type Diffs = Readonly<{ diffs: readonly ShownDiff[] }>;

const keyOf = ({ file }: ShownDiff): string => `${file.oldPath}\0${file.newPath}`;

/** The diffs of the changed files, one below the other. */
export function Changes({ diffs, overflow }: Diffs & Readonly<{ overflow: boolean }>) {
  if (overflow) return <TooMuch diffs={diffs} />;
  return (
    <>
      {diffs.length > 1 ? <ChangedFiles diffs={diffs} /> : null}
      {diffs.some(({ patch }) => patch?.hasBidi) ? <BidiNotice /> : null}
      {diffs.map((diff, at) => (
        <FileChange key={keyOf(diff)} id={idOf(at)} {...diff} />
      ))}
    </>
  );
}

const idOf = (at: number): string => `file-${at + 1}`;

/** The maximum number of changed files for which the list of files is initially expanded. */
const OPEN_MAX = 20;

/**
 * The changed files, each with the numbers of added and removed lines. Each file name is a link to the diff
 * of the file.
 */
function ChangedFiles({ diffs }: Diffs) {
  return (
    <nav aria-label="Changed files" className="min-w-0 rounded-card border border-line bg-panel text-small">
      <details open={diffs.length <= OPEN_MAX}>
        <summary className="cursor-pointer px-4 py-3 font-semibold">Files</summary>
        <ul className="grid gap-1 border-line border-t px-4 py-3">
          {diffs.map((diff, at) => (
            <li key={keyOf(diff)} className="flex flex-wrap justify-between gap-x-4">
              <a href={`#${idOf(at)}`} className="min-w-0 wrap-anywhere">
                <bdi>{visibleName(diff.file.newPath)}</bdi>
              </a>
              {diff.patch === null || diff.patch.runs.length === 0 ? null : (
                <span className="text-muted tabular-nums">
                  <span aria-hidden="true">
                    +{diff.patch.added} −{diff.patch.removed}
                  </span>
                  <span className="sr-only">
                    {diff.patch.added} lines added, {diff.patch.removed} lines removed
                  </span>
                </span>
              )}
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** A list of file names. The page shows this list instead of a diff that is too large. */
function TooMuch({ diffs }: Diffs) {
  return (
    <>
      <Notice kind="warning">
        The changes are too large to display. Clone the repository to see the changes.
      </Notice>
      <ul aria-label="Files" className="rounded-card border border-line bg-panel px-4 py-3 text-small">
        {diffs.map((diff) => (
          <li key={keyOf(diff)} className="wrap-anywhere">
            <bdi>{visibleName(diff.file.newPath)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

const Signed = ({ signature, now }: { readonly signature: Signature; readonly now: Date }) => (
  <span className="wrap-anywhere">
    <bdi>{visibleName(signature.name)}</bdi>{" "}
    <span className="text-muted">
      <bdi>{visibleName(signature.email)}</bdi>, <Ago at={signature.at} now={now} />
    </span>
  </span>
);

function Parents({ project, parents }: { readonly project: number; readonly parents: readonly string[] }) {
  if (parents.length === 0) return <span className="text-muted">None: this is the first commit.</span>;
  return (
    <ul className="flex flex-wrap gap-x-4">
      {parents.map((hash) => (
        <li key={hash}>
          <a href={commitPageUrl(project, hash)}>
            <code className="text-small">{hash.slice(0, 8)}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}

function changesTitle(files: number, overflow: boolean, parents: number): string {
  const base = parents > 1 ? " compared to the first parent" : "";
  if (files === 0) return `No files changed${base}`;
  const count = files.toLocaleString("en");
  return `${overflow ? "At least " : ""}${count} file${files === 1 ? "" : "s"} changed${base}`;
}
