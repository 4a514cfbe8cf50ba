import { apiPreflight } from "@/api/cors";
import { member } from "@/api/entities/member";
import { memberReference, readAnyMember } from "@/api/members";
import { seenGroupEndpoint } from "@/api/project-endpoint";

export const GET = seenGroupEndpoint({
  summary: "Somebody who is a member, here or by a group above",
  input: memberReference,
  run: readAnyMember,
  entity: member,
});
export const OPTIONS = apiPreflight;
