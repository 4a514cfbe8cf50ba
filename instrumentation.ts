import type { Instrumentation } from "next";

/**
 * Runs once per process, before Next answers the first request. In Gatehouse's own server, which opens the
 * database itself, the function does nothing.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { depsAreOpen } = await import("@/kernel/deps/deps.ts");
  if (depsAreOpen()) return;
  const { openUnderNext } = await import("@/server/under-next.ts");
  await openUnderNext({ hotReload: process.env["NODE_ENV"] === "development" });
}

/**
 * Records the errors that pages, server actions and routes throw. Next calls `onRequestError` for each of
 * these errors.
 */
export const onRequestError: Instrumentation.onRequestError = async (cause, request) => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { recordPageFailure } = await import("@/server/failed-page.ts");
  recordPageFailure(cause, request);
};
