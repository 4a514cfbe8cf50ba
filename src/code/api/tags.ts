import { z } from "zod";
import * as references from "@/code/repositories/reference";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { OpenProject } from "@/workspace/api/access-rules";
import type { OfProject } from "@/workspace/projects/rules";
import { nameSearch } from "./fields";
import { partByToken } from "./page-token";

export const tagSearch = nameSearch.extend({
  order_by: z.enum(["name", "updated", "version"]).default("updated"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

export async function listTags(
  deps: Deps,
  { project }: OpenProject,
  { search, order_by, sort }: z.infer<typeof tagSearch>,
  paging: Paging,
): Promise<Page<OfProject<references.Tag>>> {
  const order = { by: order_by, descending: sort === "desc" };
  const tags = await references.listTags(deps, project, search ?? "", order);
  const page = partByToken(tags, paging, ({ name }) => name);
  return { ...page, rows: page.rows.map((item) => ({ project, item })) };
}
