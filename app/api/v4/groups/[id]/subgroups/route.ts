import { apiPreflight } from "@/api/cors";
import { group } from "@/api/entities/group";
import { groupSearch, listSubgroups } from "@/api/groups";
import { openGroupList } from "@/api/project-endpoint";

export const GET = openGroupList({
  summary: "The groups right below a group that the caller sees",
  input: groupSearch,
  run: listSubgroups,
  entity: group,
});
export const OPTIONS = apiPreflight;
