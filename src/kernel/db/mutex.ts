import { deferred } from "@/kernel/process/deferred";

/** Waits for the mutex. The promise resolves to the function that releases the mutex. */
export type Mutex = () => Promise<() => void>;

/** Returns a mutex that only one caller at a time can acquire, in the order of the calls. */
export function createMutex(): Mutex {
  let turns: Promise<void> = Promise.resolve();
  return () => {
    const { promise, resolve } = deferred<void>();
    const mine = turns.then(() => resolve);
    turns = promise;
    return mine;
  };
}
