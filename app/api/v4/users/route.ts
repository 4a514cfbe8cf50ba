import { apiPreflight } from "@/api/cors";
import { apiEndpoint, apiList } from "@/api/endpoint";
import { listedUser, user } from "@/api/entities/user";
import { GITLAB_PARAMETERS } from "@/api/gitlab-parameters";
import { createUser, listUsers, newUser, userSearch } from "@/api/users";

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
