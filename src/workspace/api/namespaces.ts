import { z } from "zod";
import type { Principal } from "@/access/principal";
import { notFound } from "@/http-api/errors";
import { flag, id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import * as namespaces from "@/workspace/projects/namespaces";
import type { Namespace } from "@/workspace/projects/rules";

export const namespaceSearch = z.object({
  search: text(255).optional().describe("A part of a group's full path, or of a username or a name."),
  owned_only: flag.optional().describe("Only namespaces that the caller owns."),
  top_level_only: flag.optional().describe("Without subgroups."),
  full_path_search: flag.optional().describe("Of no effect: a search looks at full paths."),
});

/** The namespaces in which the caller has a place; every namespace for an administrator. */
export const listNamespaces = (
  deps: Deps,
  { user }: Principal,
  { search, owned_only, top_level_only }: z.infer<typeof namespaceSearch>,
  paging: Paging,
): Promise<Page<Namespace>> => {
  const filter = {
    search: search ?? "",
    ownedOnly: owned_only === true,
    topLevelOnly: top_level_only === true,
  };
  return namespaces.listNamespaces(deps, user, filter, paging);
};

const reference = z
  .string()
  .max(4_096)
  .meta({ type: ["integer", "string"], description: "The id, or the URL-encoded full path." });

export const namespaceReference = z.object({ id: reference });

/** @throws ApiError 404 for a namespace that is not there or that the caller may not see. */
export async function readNamespace(
  deps: Deps,
  { user }: Principal,
  { id: name }: z.infer<typeof namespaceReference>,
): Promise<Namespace> {
  const namespace = await namespaces.findNamespace(deps, user, name);
  if (namespace === null) throw notFound("Namespace");
  return namespace;
}

export const namespaceCheck = z.object({
  id: z.string().max(255).describe("A path of one segment."),
  parent_id: id.optional().describe("The group below which the path would be; the top level without it."),
});

export const readExistence = (
  deps: Deps,
  { user }: Principal,
  { id: path, parent_id }: z.infer<typeof namespaceCheck>,
): Promise<namespaces.PathAvailability> =>
  namespaces.checkPathAvailability(deps, user, path, parent_id ?? null);
