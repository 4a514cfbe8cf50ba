import { apiPreflight } from "@/api/cors";
import { apiEndpoint } from "@/api/endpoint";
import { user as entity } from "@/api/entities/user";
import { readUser, updateUser, userChanges, userReference } from "@/api/users";

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
