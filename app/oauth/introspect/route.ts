import { oauthEndpoint } from "@/oauth/endpoint";
import { introspect } from "@/oauth/introspect";

export const POST = oauthEndpoint(introspect, null);
