import { Socket } from "node:net";
import pg from "pg";
import { openPostgresqlPools } from "./pool-state.ts";
import { isTransactionPooler } from "./pooler.ts";
import { isReachable } from "./reach-postgresql.ts";

/** Creates a pool of at most `connections` connections. */
export type OpenPool = (connections: number, options?: pg.PoolConfig) => pg.Pool;

export type Pools = Readonly<{
  openPool: OpenPool;
  /** Ends all pools and their connections. */
  close: () => Promise<void>;
}>;

const IDLE_TIMEOUT_MS = 30_000;

/**
 * The time limits that the database server enforces. Each connection sends the time limits as parameters,
 * unless a pooler refuses parameters.
 */
const SERVER_TIMEOUTS = {
  statement_timeout: 30_000,
  /**
   * The time limit prevents a process that hangs in a transaction from blocking other processes with its row
   * locks.
   */
  idle_in_transaction_session_timeout: 30_000,
};

/**
 * The time after which a socket without traffic counts as dead. This timeout is longer than every statement
 * and every idle period of a connection.
 */
const SILENCE_MS = 40_000;

/**
 * When a connection has been in use for this time, the monitor checks whether the server can be reached.
 */
const IN_USE_MS = 2_000;
const WATCH_EVERY_MS = 1_000;

/**
 * Opens the connection pools of a database and a monitor of their connections. TCP reports a network
 * partition only after minutes, and a connection may stay dead after the partition has ended. While callers
 * wait, the monitor opens a test connection every second. When a test connection fails, the monitor destroys
 * the older connections. The monitor destroys the older connections again when a test connection succeeds for
 * the first time after a failure. Calls on the destroyed connections fail, and later calls get new
 * connections.
 * @param waitMs the time limit for establishing a connection, for waiting for a free connection, and for waiting
 * for a lock, in milliseconds. After the time limit, a request that waits for a locked table fails and releases
 * its connection.
 */
export function openPools(config: pg.PoolConfig & { connectionString: string }, waitMs: number): Pools {
  const isPooler = isTransactionPooler(config.connectionString);
  const pools: pg.Pool[] = [];
  const sockets = new Map<Socket, number>();
  /** The time at which the current use of each connection began. */
  const inUse = new Map<pg.PoolClient, number>();
  /** The start of the current period in which at least one connection is being established. */
  let connectingSince = Number.POSITIVE_INFINITY;
  let isProbing = false;
  let wasReachable = true;

  function createSocket(): Socket {
    const socket = new Socket();
    sockets.set(socket, performance.now());
    socket.once("close", () => sockets.delete(socket));
    socket.setTimeout(SILENCE_MS, () => socket.destroy(terminated("the database server has been silent")));
    return socket;
  }

  async function watch(): Promise<void> {
    const startedAt = performance.now();
    const connecting = pools.reduce((sum, pool) => sum + pool.totalCount - pool.idleCount, -inUse.size);
    connectingSince = connecting > 0 ? Math.min(connectingSince, startedAt) : Number.POSITIVE_INFINITY;
    const waits = [connectingSince, ...inUse.values()].some((since) => startedAt - since >= IN_USE_MS);
    if (isProbing || (wasReachable && !waits)) return;
    isProbing = true;
    const isReachableNow = await isReachable(config.connectionString);
    if (!isReachableNow || !wasReachable)
      for (const [socket, createdAt] of sockets)
        if (createdAt < startedAt) socket.destroy(terminated("the database server could not be reached"));
    wasReachable = isReachableNow;
    isProbing = false;
  }

  const timer = setInterval(watch, WATCH_EVERY_MS);
  timer.unref();

  return {
    openPool: (connections, options = {}) => {
      const pool = new pg.Pool({
        connectionTimeoutMillis: waitMs,
        idleTimeoutMillis: IDLE_TIMEOUT_MS,
        ...(isPooler ? {} : { ...SERVER_TIMEOUTS, lock_timeout: waitMs }),
        ...config,
        ...options,
        ...(isPooler ? { options: undefined } : {}),
        max: connections,
        keepAlive: true,
        stream: createSocket,
      });
      // If a connection breaks, its current query fails, and the pool replaces the connection. An unhandled
      // `error` event would end the process.
      pool.on("error", () => undefined);
      pool.on("connect", (client) => client.on("error", () => undefined));
      pool.on("acquire", (client) => inUse.set(client, performance.now()));
      pool.on("release", (_cause, client) => inUse.delete(client));
      pool.on("remove", (client) => inUse.delete(client));
      pools.push(pool);
      openPostgresqlPools().add(pool);
      return pool;
    },
    close: async () => {
      clearInterval(timer);
      for (const pool of pools) openPostgresqlPools().delete(pool);
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/**
 * The error for a destroyed connection has the same wording as the driver's error, so that the request gets
 * the status 503.
 */
const terminated = (reason: string): Error => new Error(`Connection terminated: ${reason}`);
