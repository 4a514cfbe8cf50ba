import { none, one } from "@/http-api/answers";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { member } from "@/workspace/api/entities/member";
import {
  changeMember,
  memberChange,
  memberReference,
  readMember,
  removeMember,
} from "@/workspace/api/members";
import { group } from "@/workspace/api/places";

export const GET = endpoint({
  summary: "Somebody who is a member right here",
  in: group(),
  input: memberReference,
  answer: one(member),
  run: readMember,
});
export const PUT = endpoint({
  summary: "Changes what a member is",
  in: group({ atLeast: "owner" }),
  input: memberChange,
  example: { access_level: 30 },
  answer: one(member),
  run: changeMember,
});
export const DELETE = endpoint({
  summary: "Takes a membership away; everybody may take their own",
  in: group(),
  input: memberReference,
  answer: none(),
  run: removeMember,
});
export const OPTIONS = apiPreflight;
