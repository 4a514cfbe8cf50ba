import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "../process/process-wide.ts";

/**
 * The attributes of a span. An attribute never contains a token, a secret or a parameter value of an SQL
 * statement.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * The kind of a span, as OpenTelemetry defines it: a received request, a sent request, or an operation inside
 * of the process.
 */
export type SpanKind = "server" | "client" | "internal";

/** A measured operation of a request or of a job. */
export type Span = Readonly<{
  traceId: string;
  spanId: string;
  startChild: (name: string, kind: SpanKind, attributes?: Attributes) => Span;
  rename: (name: string) => void;
  setAttributes: (attributes: Attributes) => void;
  /**
   * Ends the span.
   * @param cause the error of the measured operation; undefined when the operation has succeeded.
   */
  end: (cause?: unknown) => void;
  /** Returns the request headers with which another server can continue the trace (W3C Trace Context). */
  propagationHeaders: () => Readonly<Record<string, string>>;
}>;

/** The headers of a received request, which can name the trace of the caller. */
export type Carrier = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Tracer = Readonly<{
  /**
   * Starts a span that has no parent span in this process.
   * @param carrier the headers that name the trace of the caller.
   */
  startRoot: (name: string, kind: SpanKind, carrier?: Carrier) => Span;
}>;

/**
 * The context of the code that is being executed: the request that caused the execution, and the innermost
 * span.
 */
type Scope = Readonly<{
  request: { id: string | null } | null;
  span: Span | null;
  /**
   * Whether a database statement is in progress. Functions that run a statement can be nested, and only the
   * outermost of these functions measures the duration.
   */
  isStatement: boolean;
}>;

const NO_SCOPE: Scope = { request: null, span: null, isStatement: false };

type Open = Readonly<{ scopes: AsyncLocalStorage<Scope>; tracer: Tracer | null }>;

/**
 * The property `open` is null before the call of `followRequests`, so that disabled tracing takes no time.
 */
const state = processWide<{ open: Open | null }>("tracing", () => ({ open: null }));

/**
 * Begins to record which request causes each database statement and each span. Before the call of
 * `followRequests`, all functions of this module only run the given callback.
 * @param tracer the tracer that records spans; null when only the ids of requests are needed.
 */
export function followRequests(tracer: Tracer | null): void {
  state().open = { scopes: new AsyncLocalStorage(), tracer };
}

/** Returns whether this process records which request causes each database statement and each span. */
export const isFollowingRequests = (): boolean => state().open !== null;

/**
 * Runs the callback that processes a request.
 * @param headers the headers of the request, which can name the trace of the caller.
 */
export function inRequest<Result>(method: string, headers: Carrier, run: () => Result): Result {
  const { open } = state();
  if (open === null) return run();
  const span = open.tracer?.startRoot(method, "server", headers) ?? null;
  return open.scopes.run({ request: { id: null }, span, isStatement: false }, run);
}

/**
 * Records the id of the current request, so that log lines about the statements of the request contain the
 * id.
 */
export function recordRequestId(id: string): void {
  const request = state().open?.scopes.getStore()?.request;
  if (request) request.id = id;
}

export const currentSpan = (): Span | null => state().open?.scopes.getStore()?.span ?? null;

/**
 * Returns a listener that runs `run` in the current scope, even if the listener is called outside of this
 * scope.
 */
export const inThisScope = <Result>(run: () => Result): (() => Result) =>
  state().open === null ? run : AsyncLocalStorage.bind(run);

/** Runs a callback in a child of the current span. Outside of a span, the function only runs the callback. */
export function inSpan<Result>(name: string, run: () => Result): Result {
  const { open } = state();
  const scope = open?.scopes.getStore();
  const span = scope?.span?.startChild(name, "internal");
  if (open === null || scope === undefined || span === undefined) return run();
  return ending(
    () => open.scopes.run({ ...scope, span }, run),
    (cause) => span.end(cause),
  );
}

/** Runs the callback that performs a job, in the first span of a new trace. */
export function inNewTrace<Result>(name: string, run: () => Result): Result {
  const { open } = state();
  const span = open?.tracer?.startRoot(name, "internal");
  if (open === null || span === undefined) return run();
  return ending(
    () => open.scopes.run({ ...NO_SCOPE, span }, run),
    (cause) => span.end(cause),
  );
}

/**
 * Sends a request to another server, and records a span for the request. The name of the span contains
 * neither the path nor the query of the URL, because both can contain secrets.
 * @param send sends the request with additional headers, with which the other server can continue the trace.
 */
export async function inOutboundSpan<Response extends Readonly<{ status: number }>>(
  method: string,
  url: URL,
  send: (headers: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  const name = `${method} ${url.host}`;
  const span = currentSpan()?.startChild(name, "client") ?? state().open?.tracer?.startRoot(name, "client");
  if (span === undefined) return send({});
  span.setAttributes({ "http.request.method": method, "server.address": url.hostname });
  try {
    const response = await send(span.propagationHeaders());
    span.setAttributes({ "http.response.status_code": response.status });
    span.end();
    return response;
  } catch (cause) {
    span.end(cause);
    throw cause;
  }
}

/**
 * The function that receives the duration of a statement and the ID of the request that caused the statement.
 */
type StatementEnd = (milliseconds: number, requestId: string | undefined) => void;

/**
 * Runs a statement of the database, in a child of the current span. A nested statement is not measured.
 * @param ended receives the duration of the statement, in the scope of the statement.
 */
export function inStatement<Result>(
  name: string,
  attributes: Attributes,
  run: () => Result,
  ended: StatementEnd,
): Result {
  const { open } = state();
  const scope = open?.scopes.getStore() ?? NO_SCOPE;
  if (open === null || scope.isStatement) return run();
  const span = scope.span?.startChild(name, "client", attributes) ?? null;
  const startedAt = performance.now();
  const inner: Scope = { ...scope, span, isStatement: name !== TRANSACTION };
  return ending(
    () => open.scopes.run(inner, run),
    (cause) => {
      open.scopes.run(inner, () => ended(performance.now() - startedAt, scope.request?.id ?? undefined));
      span?.end(cause);
    },
  );
}

/**
 * The name of transactions in spans and logs. The duration of each statement in a transaction is also
 * measured.
 */
export const TRANSACTION = "transaction";

/** Runs the callback `run`, and then calls `end`. If `run` has failed, `end` receives the error. */
function ending<Result>(run: () => Result, end: (cause?: unknown) => void): Result {
  let result: Result;
  try {
    result = run();
  } catch (cause) {
    end(cause);
    throw cause;
  }
  if (!(result instanceof Promise)) {
    end();
    return result;
  }
  const ended = result.then(
    (value: unknown) => {
      end();
      return value;
    },
    (cause: unknown) => {
      end(cause);
      throw cause;
    },
  );
  // `ended` resolves to the same value as `result`.
  return ended as Result;
}
