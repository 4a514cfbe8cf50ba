import { apiPreflight } from "@/api/cors";
import { member } from "@/api/entities/member";
import { addMember, listMembers, memberSearch, newMember } from "@/api/members";
import { projectEndpoint, seenProjectList } from "@/api/project-endpoint";

export const GET = seenProjectList({
  summary: "Who is a member right here",
  input: memberSearch,
  run: listMembers,
  entity: member,
});
export const POST = projectEndpoint({
  summary: "Makes somebody a member",
  role: "maintainer",
  input: newMember,
  status: 201,
  run: addMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
