import { z } from "zod";
import type { Principal } from "@/access/principal";
import { notFound } from "@/http-api/errors";
import { flag, id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import * as namespaces from "@/workspace/projects/namespaces";
import type { Namespace } from "@/workspace/projects/rules";

export const namespaceSearch = z.object({
  search: text(255)
    .optional()
    .describe("Text that occurs in the full path of a group, in a username or in the name of a user."),
  owned_only: flag.optional().describe("Only namespaces that the caller owns."),
  top_level_only: flag.optional().describe("Only top-level groups and user namespaces."),
  full_path_search: flag
    .optional()
    .describe("Has no effect, because a search always includes the full paths of namespaces."),
});

/**
 * Returns a page of the namespaces in which the caller is a member, including the caller's own namespace.
 * Administrators see all namespaces.
 */
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
  .meta({
    type: ["integer", "string"],
    description: "The id or the URL-encoded full path of the namespace.",
  });

export const namespaceReference = z.object({ id: reference });

/** Returns a namespace. @throws ApiError 404 if the namespace does not exist or is hidden from the caller. */
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
  id: z.string().max(255).describe("The last segment of the full path whose availability is checked."),
  parent_id: id
    .optional()
    .describe(
      "The id of the parent group in which the path must be available. By default, the path is compared with the paths of top-level groups and the usernames.",
    ),
});

export const readExistence = (
  deps: Deps,
  { user }: Principal,
  { id: path, parent_id }: z.infer<typeof namespaceCheck>,
): Promise<namespaces.PathAvailability> =>
  namespaces.checkPathAvailability(deps, user, path, parent_id ?? null);
