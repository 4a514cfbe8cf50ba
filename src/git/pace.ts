/** What can be seen of a Git process from outside. */
export type Seen = Readonly<{
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

/**
 * Judges the pace of one call; to be asked once a second. Only time in which Git waits for the client counts against
 * it: Git may think about a large repository for as long as it needs.
 * @returns whether to go on.
 */
export function judgePace(): (seen: Seen) => boolean {
  let [waitedSeconds, silentSeconds] = [0, 0];
  let [windowFrom, last] = [0, 0];
  return ({ movedBytes, waitsForClient }) => {
    silentSeconds = movedBytes === last ? silentSeconds + 1 : 0;
    last = movedBytes;
    if (silentSeconds >= SILENCE_SECONDS) return false;
    if (!waitsForClient) return true;
    waitedSeconds += 1;
    if (waitedSeconds < WINDOW_SECONDS) return true;
    const isFast = movedBytes - windowFrom >= WINDOW_SECONDS * BYTES_PER_SECOND;
    [waitedSeconds, windowFrom] = [0, movedBytes];
    return isFast;
  };
}
