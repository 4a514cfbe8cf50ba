import { administrator } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { applicationReference, renewApplicationSecret } from "@/oauth/api/applications";
import { apiPreflight } from "@/oauth/api/cors";
import { applicationWithSecret } from "@/oauth/api/entities/application";
import { endpoint } from "@/server/rest-api";

export const POST = endpoint({
  summary: "Renew the secret of an application; the old secrets stop working",
  in: administrator(),
  input: applicationReference,
  response: one(applicationWithSecret, { status: 201 }),
  run: renewApplicationSecret,
});
export const OPTIONS = apiPreflight;
