/** What can be seen of a Git process from outside. */
export type ProgressSample = Readonly<{
  /** In both directions since it started. */
  movedBytes: number;
  /** Whether Git could go on at once if the client sent or took something. */
  waitsForClient: boolean;
}>;

/** So long a client is waited for before it is judged how fast it is. */
const WINDOW_SECONDS = 60;

/** What it has to send or take in each of these seconds, on average. */
const BYTES_PER_SECOND = 1_000;

/** Where nothing moves for so long, and the client is not to blame, Git itself hangs: it tells of its work every few seconds. */
const SILENCE_SECONDS = 120;

/** A client that sends and takes less than that over so many seconds stalls: its slot is given to others. */
const STALL_SECONDS = 5;

/** `over`: the call is to be ended. */
export type Pace = "moves" | "stalls" | "over";

/**
 * Judges the pace of one call; to be asked once a second. Only time in which Git waits for the client counts against
 * it: Git may think about a large repository for as long as it needs.
 */
export function judgePace(): (seen: ProgressSample) => Pace {
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
