import type { Instrumentation } from "next";

/** Runs once per process, before Next answers its first request. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { openUnderNext } = await import("@/server/under-next.ts");
  await openUnderNext({ hotReload: process.env["NODE_ENV"] === "development" });
}

/** Called with what a page, a server action or a route threw. */
export const onRequestError: Instrumentation.onRequestError = async (cause, request) => {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { recordPageFailure } = await import("@/server/under-next.ts");
  recordPageFailure(cause, request);
};
