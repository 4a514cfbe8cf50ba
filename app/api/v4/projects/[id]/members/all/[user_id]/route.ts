import { one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { member } from "@/workspace/api/entities/member";
import { memberReference, readAnyMember } from "@/workspace/api/members";

export const GET = endpoint({
  summary: "Get a member of a project, including inherited members",
  in: project(),
  input: memberReference,
  response: one(member),
  run: readAnyMember,
});
export const OPTIONS = apiPreflight;
