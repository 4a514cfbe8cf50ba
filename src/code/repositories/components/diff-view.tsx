import { Badge } from "@/ui/badge";
import type { FileDiff } from "../diff";
import type { ShownDiff } from "../loaders";
import type { Patch, Run } from "../patch";
import { visibleName } from "../shown-text";

const KIND_LABELS = { added: "added", deleted: "deleted", renamed: "renamed" } as const;

/** A changed file: its name, the kind of change, and the changed lines. */
export function FileChange({ file, patch }: ShownDiff) {
  const { kind, oldPath, newPath } = file;
  return (
    <section aria-label={visibleName(newPath)} className="min-w-0 rounded-card border border-line bg-panel">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-3">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          {kind === "renamed" ? (
            <>
              <bdi>{visibleName(oldPath)}</bdi>
              <span aria-hidden="true"> → </span>
              <span className="sr-only"> renamed to </span>
            </>
          ) : null}
          <bdi>{visibleName(newPath)}</bdi>
        </h3>
        {kind === "changed" ? null : <Badge>{KIND_LABELS[kind]}</Badge>}
        {patch === null || patch.runs.length === 0 ? null : (
          <span className="text-muted text-small tabular-nums">
            {patch.added} added, {patch.removed} removed
          </span>
        )}
      </div>
      {patch === null ? (
        <Remark>The changes are too large to display.</Remark>
      ) : (
        <Lines file={file} patch={patch} />
      )}
    </section>
  );
}

const Remark = ({ children }: { readonly children: string }) => (
  <p className="border-line border-t px-4 py-3 text-muted text-small">{children}</p>
);

function Lines({ file, patch }: { readonly file: FileDiff; readonly patch: Patch }) {
  const { kind, oldMode, newMode } = file;
  const isModeChanged = kind !== "added" && kind !== "deleted" && oldMode !== newMode;
  return (
    <>
      {isModeChanged ? <Remark>{`File mode changed from ${oldMode} to ${newMode}.`}</Remark> : null}
      {patch.runs.length > 0 ? (
        <pre
          dir="ltr"
          className="overflow-hidden whitespace-pre-wrap rounded-b-card border-line border-t font-mono text-small wrap-anywhere [tab-size:4]"
        >
          {patch.runs.map((run, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a commit never change.
            <Piece key={at} {...run} />
          ))}
        </pre>
      ) : isModeChanged ? null : (
        <Remark>This file has no text changes: it is binary, empty or only renamed.</Remark>
      )}
    </>
  );
}

/** Consecutive lines of one kind. The sign before each line and the color show the kind. */
function Piece({ kind, text }: Run) {
  const looks = "block px-4 no-underline";
  if (kind === "added") return <ins className={`${looks} bg-soft text-accent`}>{text}</ins>;
  if (kind === "removed") return <del className={`${looks} bg-warning text-danger`}>{text}</del>;
  if (kind === "same") return <span className={looks}>{text}</span>;
  return <span className={`${looks} bg-ground text-muted`}>{text}</span>;
}
