import { authorizeDevice } from "@/oauth/authorize-device";
import { oauthEndpoint } from "@/oauth/endpoint";

export const POST = oauthEndpoint(authorizeDevice, null);
