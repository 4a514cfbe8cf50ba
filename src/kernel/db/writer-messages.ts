/** A message to the writer thread: a group of writes of one kind, or the instruction to end. */
export type Task = Readonly<{ kind: string; group: readonly unknown[] }> | "close";

/** The reply to a group of writes: the result of each write, or the error of the transaction. */
export type Reply =
  | Readonly<{ results: readonly unknown[] }>
  | Readonly<{ message: string; code: string | undefined }>;
