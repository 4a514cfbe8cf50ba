import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { currentUser } from "@/identity/api/entities/user";
import { readCurrentUser } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get the current user",
  in: instance(),
  scopes: ["api", "read_api", "read_user"],
  response: one(currentUser),
  run: readCurrentUser,
});
export const OPTIONS = apiPreflight;
