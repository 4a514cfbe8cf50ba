/** The observable progress of a Git process. */
export type ProgressSample = Readonly<{
  /** In both directions since the process started. */
  movedBytes: number;
  /** Whether Git waits for the client: for more input, or for its output to be read. */
  waitsForClient: boolean;
}>;

/** The period over which the speed of a client is measured. */
const WINDOW_SECONDS = 60;

/** The average speed below which a call is ended. */
const BYTES_PER_SECOND = 1_000;

/** Git hangs when nothing moves for this time: otherwise it reports progress every few seconds. */
const SILENCE_SECONDS = 120;

/** A client stalls when it is slower than `BYTES_PER_SECOND` for this time. Its slot is then available to others. */
const STALL_SECONDS = 5;

/** `over`: the call must be ended. */
export type Pace = "moves" | "stalls" | "over";

/**
 * Creates a function that judges the pace of one call; call it once per second. Only time in which Git waits for the
 * client counts against the client. Git itself may work on a large repository without a time limit.
 */
export function judgePace(): (sample: ProgressSample) => Pace {
  let [waitedSeconds, silentSeconds] = [0, 0];
  let [windowFrom, last] = [0, 0];
  /** Bytes that moved in each of the last seconds in which Git waited, without a pause. */
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
