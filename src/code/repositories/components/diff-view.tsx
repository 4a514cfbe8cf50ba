import { visibleName } from "@/kernel/text/visible";
import { Badge } from "@/ui/badge";
import type { FileDiff } from "../diff";
import type { ShownDiff } from "../loaders";
import type { Patch, Run } from "../patch";

const KIND_LABELS = { added: "added", deleted: "deleted", renamed: "renamed" } as const;

/** A changed file: its name, the kind of change, and the changed lines. */
export function FileChange({ file, patch, id }: ShownDiff & { readonly id: string }) {
  const { kind, oldPath, newPath } = file;
  return (
    <section
      id={id}
      aria-label={visibleName(newPath)}
      className="min-w-0 scroll-mt-4 rounded-card border border-line bg-panel"
    >
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
        <section
          aria-label={`Changed lines of ${visibleName(file.newPath)}`}
          dir="ltr"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the text.
          tabIndex={0}
          className="overflow-x-auto rounded-b-card border-line border-t font-mono text-small [tab-size:4]"
        >
          <div className="w-max min-w-full">
            {patch.runs.map((run, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a commit never change.
              <Piece key={at} {...run} />
            ))}
          </div>
        </section>
      ) : isModeChanged ? null : (
        <Remark>This file has no text changes, because the file is binary, empty or only renamed.</Remark>
      )}
    </>
  );
}

const RUN_CLASSES: Readonly<Record<Run["kind"], string>> = {
  added: "bg-soft text-accent",
  removed: "bg-warning text-danger",
  same: "",
  hunk: "bg-ground text-muted",
  remark: "bg-ground text-muted",
};

/**
 * Consecutive lines of the same kind in a diff, with their line numbers in the old and the new file. The sign
 * before each line and the color show the kind. All of these lines are in one HTML element, because one
 * element per line would make large diffs slow.
 */
function Piece({ kind, text, oldNumbers, newNumbers }: Run) {
  const Text = kind === "added" ? "ins" : kind === "removed" ? "del" : "span";
  return (
    <div className={`flex whitespace-pre ${RUN_CLASSES[kind]}`}>
      <Numbers numbers={oldNumbers} />
      <Numbers numbers={newNumbers} />
      <Text className="block grow px-3 no-underline">{text}</Text>
    </div>
  );
}

const Numbers = ({ numbers }: { readonly numbers: string }) => (
  <span aria-hidden="true" className="min-w-12 shrink-0 border-line border-r px-2 text-right select-none">
    {numbers}
  </span>
);
