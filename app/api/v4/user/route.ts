import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { currentUser } from "@/api/entities/user";

export const GET = apiEndpoint({
  summary: "The person whom the token acts for",
  scopes: ["api", "read_api", "read_user"],
  run: (_deps, { user }) => user,
  entity: currentUser,
});
export const OPTIONS = apiPreflight;
