import { apiPreflight } from "@/oauth/api/cors";
import { member } from "@/workspace/api/entities/member";
import {
  changeMember,
  memberChange,
  memberReference,
  readMember,
  removeMember,
} from "@/workspace/api/members";
import { projectEndpoint, seenProjectEndpoint } from "@/workspace/api/project-endpoint";

export const GET = seenProjectEndpoint({
  summary: "Somebody who is a member right here",
  input: memberReference,
  run: readMember,
  entity: member,
});
export const PUT = projectEndpoint({
  summary: "Changes what a member is",
  role: "maintainer",
  input: memberChange,
  example: { access_level: 30 },
  run: changeMember,
  entity: member,
});
export const DELETE = seenProjectEndpoint({
  summary: "Takes a membership away; everybody may take their own",
  input: memberReference,
  run: removeMember,
  entity: null,
});
export const OPTIONS = apiPreflight;
