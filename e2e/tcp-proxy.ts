import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";

/** A TCP proxy in front of a server, for tests of network faults. */
export type TcpProxy = Readonly<{
  port: number;
  /**
   * Stops forwarding in both directions, on existing and on new connections, without closing the connections.
   */
  partition: () => void;
  /**
   * Forwards again on new connections; older connections stay silent, as after a change of network routes.
   */
  heal: () => void;
  /** Delays each piece of data by this time, in both directions. */
  delay: (milliseconds: number) => void;
  /** Resets all connections. */
  reset: () => void;
  close: () => void;
}>;

/** Starts a proxy on `port` that forwards to the host and port of `target`. */
export async function startTcpProxy(target: URL, port = 0): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isPartitioned = false;
  let delayMs = 0;
  /** A stream that forwards data after the current delay. */
  const delayed = (): Transform =>
    new Transform({
      transform: (chunk, _encoding, pass) =>
        delayMs === 0 ? pass(null, chunk) : void setTimeout(() => pass(null, chunk), delayMs),
    });
  const server = createServer((near) => {
    near.on("error", () => undefined);
    if (isPartitioned) {
      const pair = [near, near] as const;
      pairs.add(pair);
      near.pause().once("close", () => pairs.delete(pair));
      return;
    }
    const far = connect(Number(target.port || 5432), target.hostname);
    far.on("error", () => near.destroy());
    const pair = [near, far] as const;
    pairs.add(pair);
    const [out, back] = [delayed(), delayed()];
    near.pipe(out).pipe(far).pipe(back).pipe(near);
    near.once("close", () => {
      far.destroy();
      pairs.delete(pair);
    });
    far.once("close", () => near.destroy());
  });
  await listen(server, port);
  const bound = server.address();
  if (typeof bound !== "object" || bound === null) throw new Error("The proxy has no port.");
  const reset = (): void => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    port: bound.port,
    partition: () => {
      isPartitioned = true;
      for (const [near, far] of pairs) {
        near.unpipe().pause();
        if (far !== near) far.unpipe().pause();
      }
    },
    heal: () => {
      isPartitioned = false;
    },
    delay: (milliseconds) => {
      delayMs = milliseconds;
    },
    reset,
    close: () => {
      server.close();
      reset();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}
