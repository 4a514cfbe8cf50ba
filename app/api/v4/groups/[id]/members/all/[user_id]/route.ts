import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import { member } from "@/workspace/api/entities/member";
import { memberReference, readAnyMember } from "@/workspace/api/members";

export const GET = endpoint({
  summary: "Get a member of a group, including inherited members",
  in: group(),
  input: memberReference,
  response: one(member),
  run: readAnyMember,
});
export const OPTIONS = apiPreflight;
