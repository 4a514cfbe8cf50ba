import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { group } from "@/workspace/api/access-rules";
import { invitation, invitationResult } from "@/workspace/api/entities/invitation";
import {
  createInvitations,
  invitationSearch,
  listInvitations,
  newInvitations,
} from "@/workspace/api/invitations";

export const GET = endpoint({
  summary: "List the pending invitations to a group, newest first",
  in: group({ atLeast: "owner" }),
  input: invitationSearch,
  response: list(invitation, { gitlabParameters: GITLAB_PARAMETERS.invitations }),
  run: listInvitations,
});
export const POST = endpoint({
  summary: "Invite people by e-mail to a group, or add users as members",
  in: group({ atLeast: "owner" }),
  input: newInvitations,
  example: { email: "ben@example.com", access_level: 30 },
  response: one(invitationResult, { status: 201 }),
  run: createInvitations,
});
export const OPTIONS = apiPreflight;
