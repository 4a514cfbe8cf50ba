/** Resolves when it is the caller's turn, to the function that ends the turn. */
export type Mutex = () => Promise<() => void>;

/** Lets one caller in at a time, in the order of asking. */
export function createMutex(): Mutex {
  let turns: Promise<void> = Promise.resolve();
  return () => {
    const { promise, resolve } = deferred();
    const mine = turns.then(() => resolve);
    turns = promise;
    return mine;
  };
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
