/** The options of the start of an instance, which may wait for a database server or for a lock. */
export type Waiting = Readonly<{
  /** A signal that ends the wait and rejects the start. */
  signal?: AbortSignal | undefined;
  /** The function that receives a sentence for the operator about the reason for the wait. */
  report?: ((sentence: string) => void) | undefined;
}>;

const REPORT_AFTER_MS = 1_000;
const REPORT_EVERY_MS = 10_000;

/**
 * Reports the reason for the wait of `operation` after one second, and then every ten seconds.
 * @param sentenceNow returns the current text of the report, or null when the operation does not wait.
 */
export async function reportWhileWaiting<Result>(
  operation: Promise<Result>,
  { signal, report }: Waiting,
  sentenceNow: () => Promise<string | null>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false;
  async function reportNow(): Promise<void> {
    const sentence = await sentenceNow().catch(() => null);
    if (isSettled || signal?.aborted) return;
    if (sentence !== null) report?.(sentence);
    timer = setTimeout(reportNow, REPORT_EVERY_MS);
  }
  if (report !== undefined) timer = setTimeout(reportNow, REPORT_AFTER_MS);
  try {
    return await operation;
  } finally {
    isSettled = true;
    clearTimeout(timer);
  }
}
