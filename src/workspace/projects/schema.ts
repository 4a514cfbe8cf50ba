import { MERGE_METHODS, type MergeMethod } from "./rules";

/** The merge method that somebody chose; null for anything else. */
export const readMergeMethod = (sent: FormData): MergeMethod | null =>
  MERGE_METHODS.find((method) => method === sent.get("merge_method")) ?? null;
