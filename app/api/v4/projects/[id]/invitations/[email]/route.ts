import { none, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";
import { project } from "@/workspace/api/access-rules";
import { invitation } from "@/workspace/api/entities/invitation";
import {
  changeInvitation,
  invitationChange,
  invitationReference,
  revokeInvitation,
} from "@/workspace/api/invitations";

export const PUT = endpoint({
  summary: "Edit an invitation to a project",
  in: project({ atLeast: "owner" }),
  input: invitationChange,
  example: { access_level: 30 },
  response: one(invitation),
  run: changeInvitation,
});
export const DELETE = endpoint({
  summary: "Revoke an invitation to a project",
  in: project({ atLeast: "owner" }),
  input: invitationReference,
  response: none(),
  run: revokeInvitation,
});
export const OPTIONS = apiPreflight;
