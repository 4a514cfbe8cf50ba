import { processWide } from "@/kernel/process/process-wide";

/** As many programs of Git that read a repository as leave two cores time for everything else. */
const RUNNING_MAX = 6;

/** Who would stand behind so many others is sent away at once. */
export const GIT_WAITING_MAX = 100;

/** Nobody who asks for a page or a list waits for longer. */
export const GIT_WAIT_MS = 10_000;

/** Too many programs of Git run at once. Trying again in a few seconds is worth it. */
export class GitBusy extends Error {
  constructor() {
    super("Too many programs of Git run at once.");
    this.name = "GitBusy";
  }
}

type Waiting = Readonly<{ go: () => void }>;

type Line = { running: number; readonly waiting: Set<Waiting> };

const line = processWide<Line>("git-line", () => ({ running: 0, waiting: new Set() }));

/**
 * Runs `work`, which starts Git once, when it is its turn: who came first goes first.
 * @throws GitBusy when the line is full, or the turn has not come within ten seconds.
 */
export async function withGitSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  const now = line();
  if (now.running < RUNNING_MAX) now.running += 1;
  else if (now.waiting.size < GIT_WAITING_MAX) await turn(now);
  else throw new GitBusy();
  try {
    return await work();
  } finally {
    handOn(now);
  }
}

function turn({ waiting }: Line): Promise<void> {
  return new Promise((resolve, reject) => {
    const one = {
      go: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      waiting.delete(one);
      reject(new GitBusy());
    }, GIT_WAIT_MS);
    waiting.add(one);
  });
}

/** The turn goes to who has waited longest. */
function handOn(now: Line): void {
  const [next] = now.waiting;
  if (next === undefined) now.running -= 1;
  else {
    now.waiting.delete(next);
    next.go();
  }
}
