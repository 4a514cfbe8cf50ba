import { GitLimit } from "@/code/git/program";
import { GitBusy } from "@/code/git/queue";
import type { Overload } from "@/http-api/refusals";

/** Recognises that Git has more to do than it can, or that a single request asks for too much. */
export function gitOverload(cause: unknown): Overload | null {
  if (cause instanceof GitLimit) return cause.reason === "too_large" ? "too_large" : "busy";
  return cause instanceof GitBusy ? "busy" : null;
}
