import { instance } from "@/http-api/access-rules";
import { one } from "@/http-api/responses";
import { avatarChange, changeAvatar } from "@/identity/api/avatar";
import { avatar } from "@/identity/api/entities/user";
import { apiPreflight } from "@/oauth/api/cors";
import { endpoint } from "@/server/rest-api";

export const PUT = endpoint({
  summary: "Set the avatar of the current user",
  in: instance(),
  input: avatarChange,
  example: { avatar: "" },
  response: one(avatar),
  run: changeAvatar,
});
export const OPTIONS = apiPreflight;
