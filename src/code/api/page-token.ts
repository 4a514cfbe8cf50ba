import { invalidParameters } from "@/http-api/errors";
import { type Page, type Paging, partByName } from "@/kernel/paging/paging";

/**
 * Returns the page of list entries that follow the entry with the name in the page token.
 * @throws ApiError 400 if the list does not contain the page token.
 */
export function partByToken<Row>(
  rows: readonly Row[],
  paging: Paging,
  nameOf: (row: Row) => string,
): Page<Row> {
  const page = partByName(rows, paging, nameOf);
  if (page === null) throw invalidParameters(["page_token is invalid"]);
  return page;
}
