/** Runs once per process, before Next answers its first request. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { openUnderNext } = await import("@/server/under-next.ts");
  await openUnderNext();
}
