import type { Overload } from "@/http-api/refusals";

/**
 * Returns `busy` for errors that mean that Git is overloaded, `too_large` for output that exceeds its limit,
 * and null for all other errors. The function compares the names of error classes. An error can come from
 * another bundle of this process, and each bundle has its own copy of each class.
 */
export function gitOverload(cause: unknown): Overload | null {
  if (!(cause instanceof Error)) return null;
  if (cause.name === "GitLimit")
    return "reason" in cause && cause.reason === "too_large" ? "too_large" : "busy";
  return cause.name === "GitBusy" ? "busy" : null;
}
