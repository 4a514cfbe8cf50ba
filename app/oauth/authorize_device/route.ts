import { authorizeDevice } from "@/oauth-endpoints/authorize-device";
import { oauthEndpoint } from "@/oauth-endpoints/endpoint";

export const POST = oauthEndpoint(authorizeDevice, null);
