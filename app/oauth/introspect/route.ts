import { oauthEndpoint } from "@/oauth-endpoints/endpoint";
import { introspect } from "@/oauth-endpoints/introspect";

export const POST = oauthEndpoint(introspect, null);
