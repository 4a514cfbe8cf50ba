import { accepted } from "@/identity/api/entities/accepted";
import { apiPreflight } from "@/oauth/api/cors";
import { group as entity } from "@/workspace/api/entities/group";
import { deleteGroup, groupChanges, updateGroup } from "@/workspace/api/groups";
import { groupEndpoint, openGroupEndpoint } from "@/workspace/api/project-endpoint";

const role = "owner";

export const GET = openGroupEndpoint({
  summary: "A group, by its id or its full path",
  run: (_deps, { group }) => group,
  entity,
});
export const PUT = groupEndpoint({
  summary: "Changes a group",
  role,
  input: groupChanges,
  example: { name: "Acme" },
  run: updateGroup,
  entity,
});
export const DELETE = groupEndpoint({
  summary: "Removes a group with everything below it",
  role,
  status: 202,
  run: deleteGroup,
  entity: accepted,
});
export const OPTIONS = apiPreflight;
