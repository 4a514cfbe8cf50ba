import { firstPage } from "@/kernel/paging/paging.ts";

/** The first page of a list whose newest row comes first. */
export const NEWEST = firstPage(20, { descending: true });

/** Returns the paging that selects the rows of the list before or after a row. */
export const nextTo = (direction: "next" | "previous", row: Readonly<{ id: number }> | undefined) => ({
  ...NEWEST,
  cursor: { direction, key: row?.id ?? 0 },
});
