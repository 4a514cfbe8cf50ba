import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import { memberReference, readAnyMember } from "@/workspace/api/members";
import { seenProjectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = seenProjectEndpoint({
  summary: "Somebody who is a member, here or by a group above",
  input: memberReference,
  run: readAnyMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
