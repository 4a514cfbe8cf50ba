/** The progress of a Git process at one point in time. */
export type ProgressSample = Readonly<{
  /** The number of bytes that Git has read and written since the process started. */
  movedBytes: number;
  /** Whether Git waits for the client to send more input or to read Git's output. */
  waitsForClient: boolean;
}>;

/** The period over which the speed of a client is measured. */
const WINDOW_SECONDS = 60;

/** The minimum average speed of a client. The server ends the Git requests of slower clients. */
const BYTES_PER_SECOND = 1_000;

/**
 * The time after which a Git process that neither reads nor writes is considered hung. A Git process that
 * works reports its progress every few seconds.
 */
const SILENCE_SECONDS = 120;

/**
 * The time for which a client must be slower than `BYTES_PER_SECOND` to count as stalled. Other requests can
 * use the slot of a stalled client.
 */
const STALL_SECONDS = 5;

/**
 * The progress of a Git request. `over` means that the client was too slow or Git was inactive for too long,
 * so the caller must end the Git request.
 */
export type ProgressState = "moves" | "stalls" | "over";

/**
 * Returns a function that measures the progress of one Git request. Call the returned function once per
 * second. The speed of a client is measured only while Git waits for the client, because Git itself may work
 * on a large repository without a time limit.
 */
export function monitorProgress(): (sample: ProgressSample) => ProgressState {
  let [waitedSeconds, silentSeconds] = [0, 0];
  let [windowFrom, last] = [0, 0];
  /**
   * The number of bytes that Git read and wrote in each of the last seconds. The list of these numbers is
   * cleared as soon as Git does not wait for the client.
   */
  let recent: readonly number[] = [];
  return ({ movedBytes, waitsForClient }) => {
    const moved = movedBytes - last;
    silentSeconds = moved === 0 ? silentSeconds + 1 : 0;
    last = movedBytes;
    if (silentSeconds >= SILENCE_SECONDS) return "over";
    recent = waitsForClient ? [...recent, moved].slice(-STALL_SECONDS) : [];
    if (!waitsForClient) return "moves";
    waitedSeconds += 1;
    if (waitedSeconds >= WINDOW_SECONDS) {
      const isFast = movedBytes - windowFrom >= WINDOW_SECONDS * BYTES_PER_SECOND;
      [waitedSeconds, windowFrom] = [0, movedBytes];
      if (!isFast) return "over";
    }
    const recentBytes = recent.reduce((sum, bytes) => sum + bytes, 0);
    const isSlow = recent.length === STALL_SECONDS && recentBytes < STALL_SECONDS * BYTES_PER_SECOND;
    return isSlow ? "stalls" : "moves";
  };
}
