import { CopyButton } from "@/ui/copy-button";
import type { ReportedException } from "../event";
import type { Frame } from "../stack-trace";

/**
 * Shows the exception that was raised, and then the exceptions that caused it. For each exception, the
 * innermost stack frame is first.
 */
export function StackTrace({ exceptions }: { readonly exceptions: readonly ReportedException[] }) {
  return exceptions.toReversed().map((exception, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list of one event never changes.
    <section key={at} className="grid min-w-0 gap-3" aria-label={exception.type || "Exception"}>
      <div className="relative flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 flex-1 gap-1">
          <h3 className="font-semibold wrap-anywhere">
            {at === 0 ? null : <span className="font-normal text-muted">Caused by </span>}
            <bdi>{exception.type || "Exception"}</bdi>
            {exception.handled === false ? (
              <span className="ml-2 font-normal text-muted text-small">unhandled</span>
            ) : null}
          </h3>
          {exception.value === "" ? null : (
            <p className="whitespace-pre-wrap text-small wrap-anywhere" dir="auto">
              {exception.value}
            </p>
          )}
        </div>
        {exception.frames.length === 0 ? null : (
          <CopyButton
            text={stackText(exception)}
            label="Copy the stack trace"
            sourceId={`frames-${at}`}
            size="small"
          />
        )}
      </div>
      <Frames id={`frames-${at}`} frames={exception.frames.toReversed()} />
    </section>
  ));
}

/** Returns the text of an exception with its stack frames, the innermost stack frame first. */
function stackText({ type, value, frames }: ReportedException): string {
  const lines = frames
    .toReversed()
    .map((frame) => `    at ${frame.function || "(anonymous)"} (${locationOf(frame)})`);
  return [[type || "Exception", value].filter(Boolean).join(": "), ...lines].join("\n");
}

/** Returns the file or the module of a stack frame, with its line and column. */
const locationOf = ({ file, module, line, column }: Frame): string =>
  [file || module, line, line === null ? null : column].filter((part) => part !== null).join(":");

/**
 * Shows the frames of a stack trace. Stack frames in the source code of the program are expanded, and stack
 * frames in libraries are collapsed. If all stack frames are in libraries, only the innermost stack frame is
 * expanded.
 */
function Frames({ id, frames }: { readonly id: string; readonly frames: readonly Frame[] }) {
  if (frames.length === 0) return <p className="text-muted text-small">No stack trace was reported.</p>;
  const hasAppFrames = frames.some(({ inApp }) => inApp);
  return (
    <ol id={id} className="divide-y divide-line overflow-hidden rounded-group border border-line">
      {frames.map((frame, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of one event never changes.
        <li key={at} className={frame.inApp || !hasAppFrames ? "bg-panel" : "bg-ground"}>
          <Call frame={frame} open={hasAppFrames ? frame.inApp : at === 0} />
        </li>
      ))}
    </ol>
  );
}

function Call({ frame, open }: { readonly frame: Frame; readonly open: boolean }) {
  if (frame.context === undefined)
    return (
      <p className="px-3 py-2">
        <Where frame={frame} />
      </p>
    );
  return (
    <details open={open}>
      <summary className="cursor-pointer px-3 py-2">
        <Where frame={frame} />
      </summary>
      <Source context={frame.context} line={frame.line} />
    </details>
  );
}

function Where({ frame }: { readonly frame: Frame }) {
  return (
    <code className="text-small wrap-anywhere">
      <span className={frame.inApp ? "font-semibold" : ""}>{frame.function || "(anonymous)"}</span>{" "}
      <span className="text-muted">{locationOf(frame)}</span>
    </code>
  );
}

/** The source lines around a call, with the line of the call marked. */
function Source({
  context,
  line,
}: {
  readonly context: NonNullable<Frame["context"]>;
  readonly line: number | null;
}) {
  const first = line === null ? null : line - context.before.length;
  const rows = [
    ...context.before.map((text) => ({ text, here: false })),
    { text: context.line, here: true },
    ...context.after.map((text) => ({ text, here: false })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <pre tabIndex={0} className="overflow-x-auto border-line border-t py-2 font-mono text-small">
      {rows.map(({ text, here }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one event never change.
        <span key={at} className={`flex w-max min-w-full ${here ? "bg-soft" : ""}`}>
          <span aria-hidden="true" className="w-14 shrink-0 pr-3 text-right text-muted select-none">
            {first === null ? "" : first + at}
          </span>
          {here ? (
            <mark className="bg-transparent pr-3 font-semibold text-ink">{text || " "}</mark>
          ) : (
            <span className="pr-3">{text || " "}</span>
          )}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
