import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { invitation, invitationResult } from "@/workspace/api/entities/invitation";
import {
  createInvitations,
  invitationSearch,
  listInvitations,
  newInvitations,
} from "@/workspace/api/invitations";

export const GET = endpoint({
  summary: "List the pending invitations to a project, newest first",
  in: project({ atLeast: "maintainer" }),
  input: invitationSearch,
  response: list(invitation, { gitlabParameters: GITLAB_PARAMETERS.invitations }),
  run: listInvitations,
});
export const POST = endpoint({
  summary: "Invite people by e-mail to a project, or add users as members",
  in: project({ atLeast: "maintainer" }),
  input: newInvitations,
  example: { email: "ben@example.com", access_level: 30 },
  response: one(invitationResult, { status: 201 }),
  run: createInvitations,
});
export const OPTIONS = apiPreflight;
