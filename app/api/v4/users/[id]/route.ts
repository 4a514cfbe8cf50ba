import { administrator, instance } from "@/http-api/access-rules";
import { none, one } from "@/http-api/responses";
import { user as entity } from "@/identity/api/entities/user";
import { readUser, updateUser, userChanges, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { deleteUser, userDeletion } from "@/operations/api/user-deletion";
import { endpoint } from "@/server/rest-api";

export const GET = endpoint({
  summary: "Get a user",
  in: instance(),
  scopes: ["api", "read_api", "read_user"],
  input: userReference,
  response: one(entity),
  run: readUser,
});
export const PUT = endpoint({
  summary: "Edit a user",
  in: administrator(),
  input: userChanges,
  example: { name: "Ann Smith" },
  response: one(entity),
  run: updateUser,
});
export const DELETE = endpoint({
  summary: "Delete a user; the ghost user becomes the author of the contributions of the deleted user",
  in: administrator(),
  input: userDeletion,
  response: none(),
  run: deleteUser,
});
export const OPTIONS = apiPreflight;
