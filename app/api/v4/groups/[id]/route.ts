import { one } from "@/http-api/responses";
import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group, openGroup } from "@/workspace/api/access-rules";
import { group as entity } from "@/workspace/api/entities/group";
import { deleteGroup, groupChanges, updateGroup } from "@/workspace/api/groups";

export const GET = endpoint({
  summary: "Get a group by its id or full path",
  in: openGroup(),
  response: one(entity),
  run: (_deps, { group }) => group,
});
export const PUT = endpoint({
  summary: "Edit a group",
  in: group({ atLeast: "owner" }),
  input: groupChanges,
  example: { name: "Acme" },
  response: one(entity),
  run: updateGroup,
});
export const DELETE = endpoint({
  summary: "Delete a group with its subgroups and projects",
  in: group({ atLeast: "owner" }),
  response: one(accepted, { status: 202 }),
  run: deleteGroup,
});
export const OPTIONS = apiPreflight;
