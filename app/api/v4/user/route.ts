import { apiEndpoint } from "@/http-api/endpoint";
import { currentUser } from "@/identity/api/entities/user";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = apiEndpoint({
  summary: "The person whom the token acts for",
  scopes: ["api", "read_api", "read_user"],
  run: (_deps, { user }) => user,
  entity: currentUser,
});
export const OPTIONS = apiPreflight;
