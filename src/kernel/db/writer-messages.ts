/** A message to the writer thread: a group of writes of one kind, or the instruction to end. */
export type Task = Readonly<{ kind: string; group: readonly unknown[] }> | "close";

/** The outcome of a group of writes: the result of each write, or the error of the transaction. */
export type Outcome =
  | Readonly<{ results: readonly unknown[] }>
  | Readonly<{ message: string; code: string | undefined }>;

/**
 * The reply to a group of writes. `retries` is the number of times that the group was repeated because another
 * connection held the lock of SQLite. The writer thread has no metrics, so it reports the number to the main thread.
 */
export type Reply = Outcome & Readonly<{ retries: number }>;
