import type { Metadata } from "next";
import { documentTitle } from "@/kernel/config/product";
import { isolated } from "@/ui/isolated";

/**
 * Returns the titles of the pages of a project or a group: the title of the page and the name of the project or group.
 * The page of the project or group itself has its name as title.
 */
export function titlesWithin(name: string): Metadata {
  const shown = isolated(name);
  // Next replaces each `%s` in the template by the title of the page.
  const template = documentTitle(`%s · ${shown.replaceAll("%s", "% s")}`);
  return { title: { absolute: documentTitle(shown), template } };
}
