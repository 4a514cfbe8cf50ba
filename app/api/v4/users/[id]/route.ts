import { apiEndpoint } from "@/http-api/endpoint";
import { user as entity } from "@/identity/api/entities/user";
import { readUser, updateUser, userChanges, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";

export const GET = apiEndpoint({
  summary: "A person",
  scopes: ["api", "read_api", "read_user"],
  input: userReference,
  run: readUser,
  entity,
});
export const PUT = apiEndpoint({
  summary: "Changes a person",
  role: "administrator",
  input: userChanges,
  example: { name: "Ann Smith" },
  run: updateUser,
  entity,
});
export const OPTIONS = apiPreflight;
