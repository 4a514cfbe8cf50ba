import type { Prepared } from "@/kernel/db/prepared.ts";

/**
 * Wraps prepared statements with an observer.
 * @param observe receives the name of each statement and write before it runs. An error of the observer
 * reaches the caller of the statement.
 */
export const observedPrepared = (prepared: Prepared, observe: (name: string) => void): Prepared => ({
  first: (statement, parameters) => {
    observe(statement.name);
    return prepared.first(statement, parameters);
  },
  all: (statement, parameters) => {
    observe(statement.name);
    return prepared.all(statement, parameters);
  },
  write: (kind, write) => {
    observe(kind.name);
    return prepared.write(kind, write);
  },
});
