import { anchorOf } from "@/http-api/versions";
import { findDeprecation } from "@/operations/deprecated-uses/catalog";
import type { UseDescription } from "@/operations/deprecated-uses/components/use-table";

/**
 * Returns the description of a deprecation, or the name of the deprecation if the deprecation no longer
 * exists.
 */
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
