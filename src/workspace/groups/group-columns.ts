import { integer, nullable, text, time } from "@/kernel/db/column-types";
import type { Columns, RowOf } from "@/kernel/db/statement";

/** The columns of the group table with the alias `g`. */
export const GROUP_COLUMNS = {
  id: [`g."id"`, integer],
  name: [`g."name"`, text],
  path: [`g."path"`, text],
  fullPath: [`g."fullPath"`, text],
  description: [`g."description"`, text],
  visibility: [`g."visibility"`, text],
  parentId: [`g."parentId"`, nullable(integer)],
  createdAt: [`g."createdAt"`, time],
} as const satisfies Columns;

/** A stored group. */
export type GroupRow = RowOf<typeof GROUP_COLUMNS>;
