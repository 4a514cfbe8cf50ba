import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endGit, startGit } from "@/code/git/program";
import { syncRepository } from "@/code/git/sync-repository";
import { hookSettings, REPORT_VARIABLE } from "@/code/repositories/hooks";
import { judgePace } from "./pace";
import { type PushReport, readPushReport } from "./push-report";
import type { RequestStart } from "./request-start";
import { withMessages } from "./side-band";

/** The input of the CGI program `git http-backend` (RFC 3875). */
export type BackendCall = Readonly<{
  folder: string;
  /** The path inside the repository, such as `info/refs`. */
  service: string;
  /** The username of the pusher, for the hooks and the reflog. */
  username: string;
  programPath: string;
  /** The folder of the hooks. */
  hooks: string;
  variables: Readonly<Record<string, string>>;
}>;

/** Larger than any CGI header of the program. */
const HEAD_BYTES_MAX = 16_384;

/** The largest push, so that a single push cannot fill the disk. */
const PUSH_BYTES_MAX = 2 * 1024 * 1024 * 1024;

export type BackendEvents = Readonly<{
  /** Called after Git has ended and its output is read. @param status of the exit; null where a signal ended Git. */
  ended: (status: number | null) => void;
  /**
   * Called once Git has ended after a push.
   * @param references the changed ones; where `isCertain` is false, those that may have changed.
   */
  changed: (references: PushReport["changes"], isCertain: boolean) => Promise<void>;
  /** Called after a push is accepted and synced to the disk. It never throws. @returns lines that the client prints. */
  pushed: (report: PushReport) => Promise<readonly string[]>;
  /** Called when Git's output suggests a storage failure. @returns a line that the client prints, or null. */
  notStored: () => Promise<string | null>;
  /** Called when the client stalls (true) and when it resumes (false). @returns whether Git may continue. */
  stalls: (isStalled: boolean) => boolean;
}>;

/**
 * Runs `git http-backend` for a request. Both bodies are streamed with back-pressure; only `body.bytes` are in memory.
 * @param body the beginning of the request's body, and a reader of the rest.
 * @throws BackendNotStarted, or an Error when Git's output has no CGI header.
 */
export async function runBackend(
  request: Request,
  body: RequestStart,
  call: BackendCall,
  { ended, changed, pushed, notStored, stalls }: BackendEvents,
): Promise<Response> {
  const isPush = call.service === "git-receive-pack";
  const child = await startBackend(["http-backend"], {
    cwd: call.folder,
    path: call.programPath,
    settings: [...hookSettings(call.hooks), ["receive.maxInputSize", String(PUSH_BYTES_MAX)]],
    variables: { ...variablesOf(request, call), ...call.variables },
    reports: isPush,
  });
  const stop = () => {
    endGit(child);
    // Git may have ended while the client does not read its output.
    child.stdout.destroy();
  };
  const input = pipeBody(body, child);
  const pace = watchPace(child, input, { stalls, stop });
  const report = isPush ? reportOf(child, stop) : () => "";
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const finished = closed.then(async (status) => {
    clearInterval(pace);
    request.signal.removeEventListener("abort", stop);
    ended(status);
    if (!isPush) return [];
    const read = readPushReport(report());
    const isCertain = status === 0 && read.isComplete;
    await changed(isCertain ? read.changes : read.accepted, isCertain);
    await syncRepository(call.folder);
    return status === 0 ? pushed(read) : [];
  });
  // A failure breaks off the body of the response; see `bodyOf`.
  finished.catch(() => undefined);
  request.signal.addEventListener("abort", stop, { once: true });
  // Git's error output is discarded, because it contains paths of the server.
  child.stderr.resume();
  try {
    const { status, headers } = await readHead(child);
    const last = async (mentionsStorage: boolean) => {
      const texts = await finished;
      const line = mentionsStorage ? await notStored() : null;
      return line === null ? texts : [...texts, line];
    };
    return new Response(bodyOf(child, isPush ? last : null), { status, headers });
  } catch (cause) {
    stop();
    throw cause;
  }
}

/** Git could not be started for a request. None of the events is called. */
export class BackendNotStarted extends Error {
  constructor(cause: unknown) {
    super("git http-backend could not be started", { cause });
    this.name = "BackendNotStarted";
  }
}

async function startBackend(...call: Parameters<typeof startGit>): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = startGit(...call);
    if (child.pid !== undefined) return child;
    const [cause] = await once(child, "error");
    throw cause;
  } catch (cause) {
    throw new BackendNotStarted(cause);
  }
}

function variablesOf(request: Request, call: BackendCall): Record<string, string> {
  const { headers, method } = request;
  const at = request.url.indexOf("?");
  const optional = {
    CONTENT_TYPE: headers.get("content-type"),
    HTTP_CONTENT_ENCODING: headers.get("content-encoding"),
    CONTENT_LENGTH: headers.get("content-length"),
    GIT_PROTOCOL: protocolOf(headers.get("git-protocol")),
  };
  return {
    GIT_PROJECT_ROOT: call.folder,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${call.service}`,
    QUERY_STRING: at === -1 ? "" : request.url.slice(at + 1),
    REQUEST_METHOD: method,
    REMOTE_ADDR: "",
    REMOTE_USER: call.username,
    GATEWAY_INTERFACE: "CGI/1.1",
    GIT_COMMITTER_NAME: call.username,
    GIT_COMMITTER_EMAIL: `${call.username}@localhost`,
    [REPORT_VARIABLE]: call.service === "git-receive-pack" ? "yes" : "no",
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
  };
}

/** Accepts only values that look like a protocol version: the value becomes an environment variable. */
const protocolOf = (header: string | null): string | null =>
  header !== null && /^[\w=:.-]{1,64}$/.test(header) ? header : null;

type InputState = { done: boolean };

/** Pipes the request body into Git. Git may end before it has read the whole body, for example for a bad request. */
function pipeBody({ bytes, rest }: RequestStart, child: ChildProcessWithoutNullStreams): InputState {
  const input: InputState = { done: false };
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* bytes;
    try {
      for (let next = await rest?.read(); next?.done === false; next = await rest?.read()) yield next.value;
    } catch (cause) {
      // The client has disconnected. Git must not process a partial body.
      endGit(child);
      throw cause;
    }
  }
  child.stdin.on("error", () => undefined);
  pipeline(all, child.stdin)
    .catch(() => rest?.cancel().catch(() => undefined))
    .finally(() => {
      input.done = true;
    });
  return input;
}

type Head = Readonly<{ status: number; headers: Headers }>;

/** Reads the header of a CGI response, up to the empty line. The body stays in the stream. */
async function readHead(child: ChildProcessWithoutNullStreams): Promise<Head> {
  let read = Buffer.alloc(0);
  for (;;) {
    const chunk = await nextChunk(child);
    if (chunk === null) throw new Error("git http-backend ended before it responded");
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf("\r\n\r\n");
    if (end !== -1) {
      if (read.length > end + 4) child.stdout.unshift(read.subarray(end + 4));
      return parseHead(read.subarray(0, end).toString("latin1"));
    }
    if (read.length > HEAD_BYTES_MAX) throw new Error("git http-backend sent no header");
  }
}

function nextChunk({ stdout }: ChildProcessWithoutNullStreams): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const settle = (value: Buffer | null) => {
      stdout.off("readable", look).off("end", over).off("close", over).off("error", reject);
      resolve(value);
    };
    const over = () => settle(null);
    const look = () => {
      const chunk: Buffer | null = stdout.read();
      if (chunk !== null) settle(chunk);
    };
    stdout.on("readable", look).once("end", over).once("close", over).once("error", reject);
    look();
  });
}

function parseHead(text: string): Head {
  const headers = new Headers();
  let status = 200;
  for (const line of text.split("\r\n")) {
    const at = line.indexOf(":");
    const [name, value] = [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    if (name === "status") status = Number.parseInt(value, 10);
    else if (at > 0) headers.append(name, value);
  }
  return { status, headers };
}

/** Enough for more than a hundred thousand references, each reported twice. */
const REPORT_CHARACTERS_MAX = 32_000_000;

/**
 * Collects the lines that the hooks write to file descriptor 3.
 * @param stop ends a push whose report is too long, because no reference may change without a report.
 */
function reportOf(child: ChildProcessWithoutNullStreams, stop: () => void): () => string {
  const pipe = child.stdio[3];
  let text = "";
  if (pipe instanceof Readable)
    pipe.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.length > REPORT_CHARACTERS_MAX) stop();
    });
  return () => text;
}

/**
 * Returns Git's output as the body of the response. When the client disconnects, Git is ended, which removes its locks.
 * @param last is awaited before the response to a push ends, because only then does the client report success; the
 * client prints its lines. Where it rejects, the body breaks off.
 */
function bodyOf(
  child: ChildProcessWithoutNullStreams,
  last: Parameters<typeof withMessages>[0] | null,
): ReadableStream<Uint8Array> {
  const { stdout } = child;
  stdout.once("close", () => {
    if (!stdout.readableEnded) endGit(child);
  });
  if (last === null) return Readable.toWeb(stdout) as ReadableStream<Uint8Array>;
  const held = withMessages(last);
  pipeline(stdout, held).catch(() => undefined);
  return Readable.toWeb(held) as ReadableStream<Uint8Array>;
}

/** Ends Git when its client sends or reads too slowly, and reports when the client stalls. */
function watchPace(
  child: ChildProcessWithoutNullStreams,
  input: InputState,
  { stalls, stop }: Pick<BackendEvents, "stalls"> & Readonly<{ stop: () => void }>,
): NodeJS.Timeout {
  const { stdin, stdout } = child;
  const judge = judgePace();
  let isStalled = false;
  const timer = setInterval(() => {
    const movedBytes = moved(stdout, "bytesRead") + moved(stdin, "bytesWritten");
    // Git has read all input so far and waits for more, or the client has not read Git's output yet.
    const waitsForClient = (!input.done && stdin.writableLength === 0) || stdout.readableLength > 0;
    const pace = judge({ movedBytes, waitsForClient });
    if (pace === "over") return stop();
    if ((pace === "stalls") === isStalled) return;
    isStalled = !isStalled;
    if (!stalls(isStalled)) stop();
  }, 1_000);
  timer.unref();
  return timer;
}

/** Pipes count their bytes like sockets, which Node's types omit. */
const moved = (stream: object, field: "bytesRead" | "bytesWritten"): number =>
  (stream as Readonly<Partial<Record<typeof field, number>>>)[field] ?? 0;
