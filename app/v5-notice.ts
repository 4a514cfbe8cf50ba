import { anchorOf } from "@/http-api/versions";
import { findDeprecation } from "@/operations/deprecated-uses/catalog";
import type { UseDescription } from "@/operations/deprecated-uses/components/use-table";

/** What a page says of a row in the table of what the versions differ in; its name alone, once the row is gone. */
export function tellOfV5(name: string): UseDescription {
  const row = findDeprecation(name);
  const href = `/help/api#${anchorOf(name)}`;
  if (row === null) return { item: name, instead: "", href: "/help/api", wasUsed: true };
  return {
    item: row.item.replaceAll("`", ""),
    instead: row.instead.replaceAll("`", ""),
    href,
    wasUsed: row.kind !== "field",
  };
}
