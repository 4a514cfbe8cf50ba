import { firstPage } from "@/kernel/paging/paging.ts";

/** The first page of a list whose newest row comes first. */
export const NEWEST = firstPage(20, { descending: true });

/** Returns the page of this list that precedes or follows a row. */
export const nextTo = (direction: "next" | "previous", row: Readonly<{ id: number }> | undefined) => ({
  ...NEWEST,
  cursor: { direction, key: row?.id ?? 0 },
});
