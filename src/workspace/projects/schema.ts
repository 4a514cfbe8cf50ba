import { MERGE_METHODS, type MergeMethod } from "./rules";

/** Parses the merge method in a form. @returns null for an invalid value. */
export const readMergeMethod = (formData: FormData): MergeMethod | null =>
  MERGE_METHODS.find((method) => method === formData.get("merge_method")) ?? null;
