import { processWide } from "./process-wide.ts";

type Turn = { isOpen: boolean; atEnd: Set<() => void> };

const turn = processWide<Turn>("request-turn", () => ({ isOpen: false, atEnd: new Set() }));

/**
 * Begins a turn, and ends the previous turn. A turn is a part of an iteration of the event loop: the turn
 * begins when the server receives a request, and ends before the event loop waits for new events. All
 * requests of a turn had arrived before the turn began, because the server receives the requests that arrive
 * later in the next iteration.
 */
export function beginTurn(): void {
  endTurn();
  turn().isOpen = true;
}

/** Ends the turn, and calls the functions that `joinTurn` registered. */
export function endTurn(): void {
  const { atEnd } = turn();
  turn().isOpen = false;
  if (atEnd.size === 0) return;
  turn().atEnd = new Set();
  for (const run of atEnd) run();
}

/**
 * Registers a function that is called at the end of the current turn. Code that does not run during a turn,
 * such as a scheduled job or a command, gets false, and the function is not called.
 */
export function joinTurn(atEnd: () => void): boolean {
  if (!turn().isOpen) return false;
  turn().atEnd.add(atEnd);
  return true;
}
