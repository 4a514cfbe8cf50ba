import { oauthEndpoint } from "@/oauth/endpoint";
import { token } from "@/oauth/token";

export const POST = oauthEndpoint(token);
