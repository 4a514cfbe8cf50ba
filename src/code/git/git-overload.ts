import type { Overload } from "@/http-api/refusals";

/**
 * Returns `busy` if the error means that Git is overloaded, `too_large` if the output of Git exceeded its
 * limit, and null for every other error. The function compares the names of error classes, because each
 * JavaScript bundle that the server process loads contains its own copy of each class.
 */
export function gitOverload(cause: unknown): Overload | null {
  if (!(cause instanceof Error)) return null;
  if (cause.name === "GitLimit")
    return "reason" in cause && cause.reason === "too_large" ? "too_large" : "busy";
  return cause.name === "GitBusy" ? "busy" : null;
}
