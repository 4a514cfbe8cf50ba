import type { Deps } from "@/platform/deps";
import { authenticateClient } from "./client-auth";
import { invalidRequest, OAuthError } from "./errors";
import { readForm } from "./form";
import { GRANTS } from "./grants/grants";

/** `POST /oauth/token` (RFC 6749 §3.2): the form, the grant, the client, and then the grant's own parameters. */
export async function token(deps: Deps, request: Request): Promise<object> {
  const form = await readForm(request);
  const type = form.get("grant_type");
  if (type === undefined)
    throw invalidRequest("Missing required parameter: grant_type.", "grant_type_missing");
  const grant = GRANTS.find((known) => known.type === type);
  if (grant === undefined)
    throw new OAuthError("unsupported_grant_type", "This grant_type is not supported.", "grant_type_unknown");
  const client = await authenticateClient(deps, request, form);
  return grant.exchange(deps, client, form);
}
