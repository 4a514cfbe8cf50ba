import { administrator, instance } from "@/http-api/access-rules";
import { GITLAB_PARAMETERS } from "@/http-api/gitlab-parameters";
import { list, one } from "@/http-api/responses";
import { listedUser, user } from "@/identity/api/entities/user";
import { createUser, listUsers, newUser, userSearch } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "List users, newest first",
  in: instance(),
  scopes: ["api", "read_api", "read_user"],
  input: userSearch,
  response: list(listedUser, { gitlabParameters: GITLAB_PARAMETERS.users }),
  run: listUsers,
});
export const POST = endpoint({
  summary: "Create a user",
  in: administrator(),
  input: newUser,
  example: { force_random_password: true },
  response: one(user, { status: 201 }),
  run: createUser,
});
export const OPTIONS = apiPreflight;
