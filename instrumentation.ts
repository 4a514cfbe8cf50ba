import type { Instrumentation } from "next";

/**
 * Runs once per process, before Next answers its first request. In our own server, which has opened the database and
 * receives the requests before Next does, there is nothing left to do.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { depsAreOpen } = await import("@/kernel/deps/deps.ts");
  if (depsAreOpen()) return;
  const { openUnderNext } = await import("@/server/under-next.ts");
  await openUnderNext({ hotReload: process.env["NODE_ENV"] === "development" });
}

/** Called with what a page, a server action or a route threw. */
export const onRequestError: Instrumentation.onRequestError = async (cause, request) => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { recordPageFailure } = await import("@/server/failed-page.ts");
  recordPageFailure(cause, request);
};
