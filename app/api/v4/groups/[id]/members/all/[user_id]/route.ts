import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import { memberReference, readAnyMember } from "@/workspace/api/members";
import { seenGroupEndpoint } from "@/workspace/api/project-endpoint";

export const GET = seenGroupEndpoint({
  summary: "Somebody who is a member, here or by a group above",
  input: memberReference,
  run: readAnyMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
