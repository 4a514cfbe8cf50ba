import { Fact, Facts } from "@/ui/card";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import { codeAddress, commitAddress } from "../code-url";
import type { Signature } from "../commit";
import type { loadCommit, ShownDiff } from "../loaders";
import { visible, visibleName } from "../shown-text";
import { titleOf } from "./commit-list";
import { FileChange } from "./diff-view";
import { TurnedNotice } from "./file-view";

type Props = Readonly<Awaited<ReturnType<typeof loadCommit>>>;

/** A commit: what it says, whose it is, and what it changed. */
export function CommitView({ project, commit, diffs, overflow, now }: Props) {
  const { hash, parents, author, committer, message } = commit;
  const isOneHand = author.name === committer.name && author.email === committer.email;
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
            <a href={codeAddress("tree", { project, ref: hash, path: "" })}>Files at this commit</a>
            <a href={codeAddress("commits", { project, ref: hash, path: "" })}>Commits up to it</a>
          </p>
        </Fact>
        <Fact name="Author">
          <Signed signature={author} now={now} />
        </Fact>
        {isOneHand ? null : (
          <Fact name="Committer">
            <Signed signature={committer} now={now} />
          </Fact>
        )}
        <Fact name={parents.length > 1 ? "Parents" : "Parent"}>
          <Parents project={project} parents={parents} />
        </Fact>
      </Facts>
      <h2 className="font-semibold">{changedWords(diffs.length, overflow, parents.length)}</h2>
      <Changes diffs={diffs} overflow={overflow} />
    </>
  );
}

type Diffs = Readonly<{ diffs: readonly ShownDiff[] }>;

const keyOf = ({ file }: ShownDiff): string => `${file.oldPath}\0${file.newPath}`;

/** File by file, how something differs. */
export function Changes({ diffs, overflow }: Diffs & Readonly<{ overflow: boolean }>) {
  if (overflow) return <TooMuch diffs={diffs} />;
  return (
    <>
      {diffs.some(({ patch }) => patch?.turned) ? <TurnedNotice /> : null}
      {diffs.map((diff) => (
        <FileChange key={keyOf(diff)} {...diff} />
      ))}
    </>
  );
}

/** The names alone, where Git has not said more. */
function TooMuch({ diffs }: Diffs) {
  return (
    <>
      <Notice kind="warning">
        It changes too much to be shown here. Clone the repository to see all of it.
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
  if (parents.length === 0) return <span className="text-muted">None: the history begins here.</span>;
  return (
    <ul className="flex flex-wrap gap-x-4">
      {parents.map((hash) => (
        <li key={hash}>
          <a href={commitAddress(project, hash)}>
            <code className="text-small">{hash.slice(0, 8)}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}

function changedWords(files: number, overflow: boolean, parents: number): string {
  const than = parents > 1 ? " against its first parent" : "";
  if (files === 0) return `It changes no files${than}`;
  const count = files.toLocaleString("en");
  return `It changes ${overflow ? "at least " : ""}${count} file${files === 1 ? "" : "s"}${than}`;
}
