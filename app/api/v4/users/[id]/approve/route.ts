import { administrator } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { success } from "@/identity/api/entities/success";
import { approveUser, userReference } from "@/identity/api/users";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Approve a registration",
  in: administrator(),
  input: userReference,
  response: one(success, { status: 201 }),
  run: approveUser,
});
export const OPTIONS = apiPreflight;
