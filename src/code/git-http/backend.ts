import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endGit, startGit } from "@/code/git/program";
import { syncRepository } from "@/code/git/sync-repository";
import { hookSettings, REPORT_VARIABLE } from "@/code/repositories/hooks";
import { judgePace } from "./pace";
import { type PushReport, readPushReport } from "./push-report";
import type { Started } from "./request-start";
import { withMessages } from "./side-band";

/** What `git http-backend` is told of a request, as a CGI program (RFC 3875). */
export type BackendCall = Readonly<{
  folder: string;
  /** Below the repository, such as `info/refs`. */
  service: string;
  /** Who pushes, for the hooks and the log of references. */
  username: string;
  programPath: string;
  /** The folder of the hooks. */
  hooks: string;
  variables: Readonly<Record<string, string>>;
}>;

/** More than any header of the program has. */
const HEAD_BYTES_MAX = 16_384;

/** The largest push: more would fill a disk before anybody looks. */
const PUSH_BYTES_MAX = 2 * 1024 * 1024 * 1024;

export type BackendEvents = Readonly<{
  /** Called once Git has ended and its output is read, with its exit status; null when it was ended. */
  ended: (status: number | null) => void;
  /**
   * Called once Git has ended after a push.
   * @param references that have changed; where `isCertain` is false, that may have changed.
   */
  changed: (references: PushReport["changes"], isCertain: boolean) => Promise<void>;
  /** Called after a push that Git has accepted and that is on the disk. @returns lines for the user. Raises nothing. */
  pushed: (report: PushReport) => Promise<readonly string[]>;
  /** Called when the output of Git suggests that it could not write. @returns a line for the user where that is so. */
  notStored: () => Promise<string | null>;
  /** Called when the client begins to stall (true) and when it moves again. @returns whether Git may go on. */
  stalls: (isStalled: boolean) => boolean;
}>;

/**
 * Lets Git answer a request, streaming both ways with back-pressure: nothing is held whole but what was read before.
 * @param body what has been read of the request's body, and the rest.
 * @throws BackendNotStarted, or an Error when Git says nothing that can be understood.
 */
export async function askBackend(
  request: Request,
  body: Started,
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
    // Git may have ended long ago, and the client never take what it said.
    child.stdout.destroy();
  };
  const fed = feed(body, child);
  const pace = watchPace(child, fed, { stalls, stop });
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
  // The body of the answer breaks off then.
  finished.catch(() => undefined);
  request.signal.addEventListener("abort", stop, { once: true });
  // What Git says about itself is drained, and not shown: it names folders.
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

/** Git could not be started for a request: none of the events follows. */
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

/** Only what a version of the protocol looks like: it ends up in the surroundings of a program. */
const protocolOf = (header: string | null): string | null =>
  header !== null && /^[\w=:.-]{1,64}$/.test(header) ? header : null;

type Fed = { done: boolean };

/** The body goes in as fast as Git takes it; Git may end before it is all in, as it does for a bad request. */
function feed({ bytes, rest }: Started, child: ChildProcessWithoutNullStreams): Fed {
  const fed: Fed = { done: false };
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* bytes;
    try {
      for (let next = await rest?.read(); next?.done === false; next = await rest?.read()) yield next.value;
    } catch (cause) {
      // The client is gone. Half a body must not look like a whole one.
      endGit(child);
      throw cause;
    }
  }
  child.stdin.on("error", () => undefined);
  pipeline(all, child.stdin)
    .catch(() => rest?.cancel().catch(() => undefined))
    .finally(() => {
      fed.done = true;
    });
  return fed;
}

type Head = Readonly<{ status: number; headers: Headers }>;

/** The header of a CGI answer, up to the empty line; what follows stays in the stream. */
async function readHead(child: ChildProcessWithoutNullStreams): Promise<Head> {
  let read = Buffer.alloc(0);
  for (;;) {
    const chunk = await nextChunk(child);
    if (chunk === null) throw new Error("git http-backend ended before it answered");
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf("\r\n\r\n");
    if (end !== -1) {
      if (read.length > end + 4) child.stdout.unshift(read.subarray(end + 4));
      return parseHead(read.subarray(0, end).toString("latin1"));
    }
    if (read.length > HEAD_BYTES_MAX) throw new Error("git http-backend answered without a header");
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

/** More than a hundred thousand references, each reported twice. */
const REPORT_CHARACTERS_MAX = 32_000_000;

/**
 * Collects what the hooks write to descriptor 3.
 * @param stop ends a push whose report is too long: no reference may change without a report.
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
 * The output of Git. A client that goes away ends Git, and with it its locks.
 * @param last is awaited before the body of an answer to a push ends, because a client reports a push as done only then;
 * its lines are shown to the user. Where it rejects, the body breaks off.
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

/** Ends Git when its client sends or takes too slowly, and says when it stalls. */
function watchPace(
  child: ChildProcessWithoutNullStreams,
  fed: Fed,
  { stalls, stop }: Pick<BackendEvents, "stalls"> & Readonly<{ stop: () => void }>,
): NodeJS.Timeout {
  const { stdin, stdout } = child;
  const judge = judgePace();
  let isStalled = false;
  const timer = setInterval(() => {
    const movedBytes = moved(stdout, "bytesRead") + moved(stdin, "bytesWritten");
    // Git has taken all that came and wants more, or has said something that nobody has taken yet.
    const waitsForClient = (!fed.done && stdin.writableLength === 0) || stdout.readableLength > 0;
    const pace = judge({ movedBytes, waitsForClient });
    if (pace === "over") return stop();
    if ((pace === "stalls") === isStalled) return;
    isStalled = !isStalled;
    if (!stalls(isStalled)) stop();
  }, 1_000);
  timer.unref();
  return timer;
}

/** Pipes count like sockets, which Node's types do not say. */
const moved = (stream: object, field: "bytesRead" | "bytesWritten"): number =>
  (stream as Readonly<Partial<Record<typeof field, number>>>)[field] ?? 0;
