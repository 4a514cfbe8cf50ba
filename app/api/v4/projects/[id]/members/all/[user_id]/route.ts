import { apiPreflight } from "@/api/cors";
import { member } from "@/api/entities/member";
import { memberReference, readAnyMember } from "@/api/members";
import { seenProjectEndpoint } from "@/api/project-endpoint";

export const GET = seenProjectEndpoint({
  summary: "Somebody who is a member, here or by a group above",
  input: memberReference,
  run: readAnyMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
