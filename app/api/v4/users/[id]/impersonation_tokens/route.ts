import { administrator } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { apiPreflight } from "@/oauth/api/cors";
import { impersonationToken, newImpersonationToken } from "@/oauth/api/entities/impersonation-token";
import {
  createToken,
  impersonationTokenSearch,
  listTokens,
  newImpersonationTokenInput,
} from "@/oauth/api/impersonation-tokens";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List the impersonation tokens of a user, newest first",
  in: administrator(),
  input: impersonationTokenSearch,
  response: list(impersonationToken, { gitlabParameters: GITLAB_PARAMETERS.impersonation_tokens }),
  run: listTokens,
});
export const POST = endpoint({
  summary: "Create an impersonation token, which acts for a user",
  in: administrator(),
  createsToken: true,
  input: newImpersonationTokenInput,
  response: one(newImpersonationToken, { status: 201 }),
  run: createToken,
});
export const OPTIONS = apiPreflight;
