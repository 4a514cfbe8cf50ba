import { apiEndpoint } from "@/api/endpoint";
import { currentUser } from "@/api/entities/user";

export const GET = apiEndpoint({
  scopes: ["api", "read_api", "read_user"],
  run: (_deps, { user }) => user,
  entity: currentUser,
});
