import { MERGE_METHODS, type MergeMethod } from "./rules";

/** Returns the merge method in a form; null for any other value. */
export const readMergeMethod = (formData: FormData): MergeMethod | null =>
  MERGE_METHODS.find((method) => method === formData.get("merge_method")) ?? null;
