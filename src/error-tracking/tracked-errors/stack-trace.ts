import { list, record, text, wholeNumber } from "./untrusted";

/**
 * A stack frame. The source lines in `context` surround the call, and are present only if the SDK sent source
 * lines.
 */
export type Frame = Readonly<{
  function: string;
  module: string;
  file: string;
  line: number | null;
  column: number | null;
  /** Whether the stack frame belongs to the application, not to a library. */
  inApp: boolean;
  context?: Readonly<{ before: readonly string[]; line: string; after: readonly string[] }>;
}>;

/**
 * If a stack trace has too many frames, the outermost and the innermost frames are stored, because both show
 * the cause of an endless recursion.
 */
const FRAMES_MAX = 60;
const OUTERMOST_KEPT = 10;

/** The number of innermost stack frames whose source lines are stored. */
const WITH_CONTEXT = 8;
const LINES_AROUND = 5;
const LINE_LENGTH_MAX = 200;

/**
 * Parses the stack frames of a `stacktrace`. In the result, as in the format of SDKs, the innermost stack
 * frame is last.
 */
export function readFrames(stacktrace: unknown): readonly Frame[] {
  const frames = list(record(stacktrace)["frames"]);
  const shown =
    frames.length <= FRAMES_MAX
      ? frames
      : [...frames.slice(0, OUTERMOST_KEPT), ...frames.slice(OUTERMOST_KEPT - FRAMES_MAX)];
  return shown.map((frame, at) => readFrame(record(frame), at >= shown.length - WITH_CONTEXT));
}

function readFrame(frame: Readonly<Record<string, unknown>>, withContext: boolean): Frame {
  const line = text(frame["context_line"], LINE_LENGTH_MAX);
  return {
    function: text(frame["function"], 200),
    module: text(frame["module"], 200),
    file: text(frame["filename"] ?? frame["abs_path"], 300),
    line: wholeNumber(frame["lineno"]),
    column: wholeNumber(frame["colno"]),
    inApp: frame["in_app"] === true,
    ...(withContext && line !== "" ? { context: contextOf(frame, line) } : {}),
  };
}

const contextOf = (
  frame: Readonly<Record<string, unknown>>,
  line: string,
): NonNullable<Frame["context"]> => ({
  before: lines(list(frame["pre_context"]).slice(-LINES_AROUND)),
  line,
  after: lines(list(frame["post_context"]).slice(0, LINES_AROUND)),
});

const lines = (all: readonly unknown[]): readonly string[] => all.map((line) => text(line, LINE_LENGTH_MAX));
