import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { member } from "@/workspace/api/entities/member";
import {
  changeMember,
  memberChange,
  memberReference,
  readMember,
  removeMember,
} from "@/workspace/api/members";

export const GET = endpoint({
  summary: "Get a direct member of a project",
  in: project(),
  input: memberReference,
  response: one(member),
  run: readMember,
});
export const PUT = endpoint({
  summary: "Edit a member of a project",
  in: project({ atLeast: "maintainer" }),
  input: memberChange,
  example: { access_level: 30 },
  response: one(member),
  run: changeMember,
});
export const DELETE = endpoint({
  summary: "Remove a member from a project; every user can remove themselves",
  in: project(),
  input: memberReference,
  response: none(),
  run: removeMember,
});
export const OPTIONS = apiPreflight;
