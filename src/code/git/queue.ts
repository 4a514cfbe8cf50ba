import { processWide } from "@/kernel/process/process-wide";
import { currentWorker } from "@/kernel/process/worker";

/**
 * The maximum number of Git processes that run simultaneously. With more Git processes, a machine with two
 * cores would have too little CPU time for other requests. If the server runs several workers, each worker
 * has a lower limit, because the workers share the processor cores.
 */
const RUNNING_MAX = currentWorker() === null ? 6 : 3;

/** The maximum length of the queue of calls that wait for a slot. A full queue rejects calls immediately. */
export const GIT_WAITING_MAX = 100;

/** The maximum time that a call waits for a slot. */
export const GIT_WAIT_MS = 10_000;

/**
 * The error for a call that gets no slot, because too many Git processes are running or too many calls are
 * waiting. The caller can try again in a few seconds.
 */
export class GitBusy extends Error {
  constructor() {
    super("Too many Git processes are running. Try again in a few seconds.");
    this.name = "GitBusy";
  }
}

type Waiter = Readonly<{ start: () => void }>;

type Queue = { running: number; readonly waiting: Set<Waiter> };

const gitQueue = processWide<Queue>("git-queue", () => ({ running: 0, waiting: new Set() }));

/** Returns the number of running Git processes and of waiting calls. */
export const gitQueueState = (): Readonly<{ running: number; waiting: number }> => ({
  running: gitQueue().running,
  waiting: gitQueue().waiting.size,
});

/**
 * Waits for a slot of the semaphore, and then runs `work`, which starts one Git process. Waiting calls get
 * slots in the order of their arrival.
 * @throws GitBusy if the queue is full, or no slot is free within ten seconds.
 */
export async function withGitSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  const queue = gitQueue();
  if (queue.running < RUNNING_MAX) queue.running += 1;
  else if (queue.waiting.size < GIT_WAITING_MAX) await waitForSlot(queue);
  else throw new GitBusy();
  try {
    return await work();
  } finally {
    releaseSlot(queue);
  }
}

function waitForSlot({ waiting }: Queue): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiter = {
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      waiting.delete(waiter);
      reject(new GitBusy());
    }, GIT_WAIT_MS);
    waiting.add(waiter);
  });
}

/** Passes the slot to the call that has waited longest, or frees the slot. */
function releaseSlot(queue: Queue): void {
  const [next] = queue.waiting;
  if (next === undefined) queue.running -= 1;
  else {
    queue.waiting.delete(next);
    next.start();
  }
}
