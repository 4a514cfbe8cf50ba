import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endGit, startGit } from "@/code/git/program";
import { syncRepository } from "@/code/git/sync-repository";
import { hookSettings, REPORT_VARIABLE } from "@/code/repositories/hooks";
import { monitorProgress } from "./client-progress";
import { type PushReport, readPushReport } from "./push-report";
import type { GitRefusal } from "./refusals";
import type { RequestStart } from "./request-start";
import { withMessages } from "./side-band";

/** The parameters of the CGI program `git http-backend` (RFC 3875). */
export type BackendCall = Readonly<{
  folder: string;
  /** The part of the URL path after the path of the repository, such as `info/refs`. */
  service: string;
  /** The query of the request. The server creates it, because Git parses a query differently. */
  query: string;
  /** The username of the user who pushes, for the hooks and the reflog. */
  username: string;
  programPath: string;
  /** The path of the folder that contains the hooks. */
  hooks: string;
  variables: Readonly<Record<string, string>>;
}>;

/** The maximum size of the CGI header of `git http-backend`. Git's own headers are much smaller. */
const HEAD_BYTES_MAX = 16_384;

/** The maximum size of a push. Without this limit, a single push could fill the disk. */
const PUSH_BYTES_MAX = 2 * 1024 * 1024 * 1024;

export type BackendEvents = Readonly<{
  /**
   * Called after Git has ended and the server has read all output of Git.
   * @param status the exit status; null if a signal ended Git.
   */
  ended: (status: number | null) => void;
  /**
   * Called once per push, after Git has ended.
   * @param references the references that the push changed; if `isCertain` is false, the references that the
   * push may have changed.
   */
  changed: (references: PushReport["changes"], isCertain: boolean) => Promise<void>;
  /**
   * Called after Git has accepted a push and the push was synced to the disk. The callback never throws.
   * @returns the messages that the Git client prints.
   */
  pushed: (report: PushReport) => Promise<readonly string[]>;
  /**
   * Called when Git's output contains the error text of a full or read-only disk.
   * @returns a message that the Git client prints; null for no message.
   */
  notStored: () => Promise<string | null>;
  /**
   * Called with true when the client stalls, and with false when a stalled client continues to send or read.
   * @returns whether the server lets Git continue.
   */
  stalls: (isStalled: boolean) => boolean;
  /**
   * Called before the server passes a part of the request body to Git.
   * @returns null if the server may pass the part to Git; otherwise the refusal with which the server ends Git.
   */
  refusal: () => Promise<GitRefusal | null>;
}>;

/**
 * Runs `git http-backend` for a request. The request body and the response body are streamed with
 * back-pressure. Only the beginning of the request body (`body.bytes`) is kept in memory.
 * @param body the beginning of the request body, and a reader for the rest of the request body.
 * @throws BackendNotStarted, or an Error if Git's output has no CGI header.
 */
export async function runBackend(
  request: Request,
  body: RequestStart,
  call: BackendCall,
  { ended, changed, pushed, notStored, stalls, refusal }: BackendEvents,
): Promise<Response> {
  const isPush = call.service === "git-receive-pack";
  const child = await startBackend(["http-backend"], {
    cwd: call.folder,
    path: call.programPath,
    settings: [
      ...hookSettings(call.hooks),
      ["receive.maxInputSize", String(PUSH_BYTES_MAX)],
      // The "dumb" protocol would also list the references that are hidden from clients.
      ["http.getanyfile", "false"],
    ],
    variables: { ...variablesOf(request, call), ...call.variables },
    reports: isPush,
  });
  const stop = () => {
    endGit(child);
    // Git may already have ended although the server has not read all output of Git.
    child.stdout.destroy();
  };
  const input = pipeBody(body, child, refusal);
  const timer = watchProgress(child, input, { stalls, stop });
  const report = isPush ? reportOf(child, stop) : () => "";
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const finished = closed.then(async (status) => {
    clearInterval(timer);
    request.signal.removeEventListener("abort", stop);
    ended(status);
    if (!isPush) return [];
    const read = readPushReport(report());
    const isCertain = status === 0 && read.isComplete;
    await changed(isCertain ? read.changes : read.accepted, isCertain);
    await syncRepository(call.folder);
    return status === 0 ? pushed(read) : [];
  });
  // If `finished` rejects, `bodyOf` aborts the response body.
  finished.catch(() => undefined);
  request.signal.addEventListener("abort", stop, { once: true });
  // Git's error output is discarded, because it contains file paths of the server.
  child.stderr.resume();
  try {
    const { status, headers } = await readHead(child);
    const last = async (mentionsStorage: boolean) => {
      const texts = await finished;
      const line = mentionsStorage ? await notStored() : null;
      return line === null ? texts : [...texts, line];
    };
    const reason = () => (acceptsSideBand(body) ? (input.refused?.message ?? null) : null);
    return new Response(bodyOf(child, isPush ? last : null, reason), { status, headers });
  } catch (cause) {
    stop();
    // If Git was ended before it responded, the client gets the response of the refusal.
    throw input.refused ?? cause;
  }
}

/** Returns whether the client of a push accepts side bands. The first command of a push contains the capabilities. */
const acceptsSideBand = ({ bytes }: RequestStart): boolean =>
  Buffer.concat(bytes).subarray(0, CAPABILITIES_BYTES_MAX).includes("side-band-64k");

/** The maximum size of the beginning of a push that contains the capabilities of the client. */
const CAPABILITIES_BYTES_MAX = 4_096;

/** The error for a Git process that could not be started. No callback of `BackendEvents` is called. */
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

/**
 * Returns the environment variables of `git http-backend`. `CONTENT_LENGTH` is not set, so Git reads until
 * the end of its input. If `CONTENT_LENGTH` were set, `git http-backend` would never stop reading when its
 * input ends early, for example when the server process is killed.
 */
function variablesOf(request: Request, call: BackendCall): Record<string, string> {
  const { headers, method } = request;
  const optional = {
    CONTENT_TYPE: headers.get("content-type"),
    HTTP_CONTENT_ENCODING: headers.get("content-encoding"),
    GIT_PROTOCOL: protocolOf(headers.get("git-protocol")),
  };
  return {
    GIT_PROJECT_ROOT: call.folder,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${call.service}`,
    QUERY_STRING: call.query,
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

/**
 * Returns the value of the header `Git-Protocol` if the value has a valid format, otherwise null. The server
 * passes the value of `Git-Protocol` to Git in an environment variable.
 */
const protocolOf = (header: string | null): string | null =>
  header !== null && /^[\w=:.-]{1,64}$/.test(header) ? header : null;

/** `refused` is the refusal with which the server ended Git before the whole request body was passed to Git. */
type InputState = { done: boolean; refused: GitRefusal | null };

/**
 * Pipes the request body into Git. Git may end before Git has read the whole request body, for example if the
 * request is invalid.
 */
function pipeBody(
  { bytes, rest }: RequestStart,
  child: ChildProcessWithoutNullStreams,
  refusal: BackendEvents["refusal"],
): InputState {
  const input: InputState = { done: false, refused: null };
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of partsOf(bytes, rest)) {
        input.refused = await refusal();
        if (input.refused !== null) throw input.refused;
        yield part;
      }
    } catch (cause) {
      // The client has disconnected, or the push is refused. Git must not process a partial request body.
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

async function* partsOf(
  bytes: RequestStart["bytes"],
  rest: RequestStart["rest"],
): AsyncGenerator<Uint8Array> {
  yield* bytes;
  for (let next = await rest?.read(); next?.done === false; next = await rest?.read()) yield next.value;
}

type Head = Readonly<{ status: number; headers: Headers }>;

/**
 * Parses the header of a CGI response, up to the empty line. The body of the CGI response remains in the
 * stream.
 */
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
    if (read.length > HEAD_BYTES_MAX) throw new Error("git http-backend sent no complete header");
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

/**
 * The maximum length of the report that the Git hooks write about a push. The report contains two lines for
 * each reference, so the maximum is sufficient for more than a hundred thousand references.
 */
const REPORT_CHARACTERS_MAX = 32_000_000;

/**
 * Collects the report about the push that the Git hooks write to file descriptor 3.
 * @param stop a function that aborts the push. If the report is too long, the push is aborted, because every
 * changed reference must be reported.
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
 * Returns Git's output as the body of the response. If the client disconnects, Git is stopped, and removes
 * its lock files before it ends.
 * @param last a function that returns the messages that the Git client prints at the end; null for a fetch.
 * The response to a push ends only after `last` resolves, because the client reports success when the
 * response ends. If `last` rejects, the response body is aborted.
 */
function bodyOf(
  child: ChildProcessWithoutNullStreams,
  last: Parameters<typeof withMessages>[0] | null,
  reason: () => string | null,
): ReadableStream<Uint8Array> {
  const { stdout } = child;
  stdout.once("close", () => {
    if (!stdout.readableEnded) endGit(child);
  });
  if (last === null) return Readable.toWeb(stdout) as ReadableStream<Uint8Array>;
  const held = withMessages(last, reason);
  pipeline(stdout, held).catch(() => undefined);
  return Readable.toWeb(held) as ReadableStream<Uint8Array>;
}

/**
 * Stops Git if the client sends or reads too slowly. Calls `stalls` with true when the client stalls, and
 * with false when a stalled client continues.
 */
function watchProgress(
  child: ChildProcessWithoutNullStreams,
  input: InputState,
  { stalls, stop }: Pick<BackendEvents, "stalls"> & Readonly<{ stop: () => void }>,
): NodeJS.Timeout {
  const { stdin, stdout } = child;
  const monitor = monitorProgress();
  let isStalled = false;
  const timer = setInterval(() => {
    const movedBytes = moved(stdout, "bytesRead") + moved(stdin, "bytesWritten");
    // Git waits for the client if it has read all input so far, or if the client has not read Git's output yet.
    const waitsForClient = (!input.done && stdin.writableLength === 0) || stdout.readableLength > 0;
    const state = monitor({ movedBytes, waitsForClient });
    if (state === "over") return stop();
    if ((state === "stalls") === isStalled) return;
    isStalled = !isStalled;
    if (!stalls(isStalled)) stop();
  }, 1_000);
  timer.unref();
  return timer;
}

/**
 * Returns the byte counter of a pipe. The type declarations of Node.js contain byte counters only for
 * sockets.
 */
const moved = (stream: object, field: "bytesRead" | "bytesWritten"): number =>
  (stream as Readonly<Partial<Record<typeof field, number>>>)[field] ?? 0;
