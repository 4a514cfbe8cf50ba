import { apiEndpoint, apiList } from "@/http-api/endpoint";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { listedUser, user } from "@/identity/api/entities/user";
import { createUser, listUsers, newUser, userSearch } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = apiList({
  summary: "People, the latest first",
  gitlabParameters: GITLAB_PARAMETERS.users,
  scopes: ["api", "read_api", "read_user"],
  input: userSearch,
  run: listUsers,
  entity: listedUser,
});
export const POST = apiEndpoint({
  summary: "Makes a person",
  role: "administrator",
  input: newUser,
  example: { force_random_password: true },
  status: 201,
  run: createUser,
  entity: user,
});
export const OPTIONS = apiPreflight;
