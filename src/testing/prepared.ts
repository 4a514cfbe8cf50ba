import type { Prepared } from "@/kernel/db/prepared.ts";

/**
 * Wraps prepared statements with an observer.
 * @param observe receives the name of each statement and write before it runs. If the observer throws an
 * error, the caller of the statement receives the error.
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
