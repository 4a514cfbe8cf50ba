import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { callerOf } from "@/kernel/http/caller";
import { count } from "@/kernel/metrics/metrics";
import { inSpan } from "@/kernel/tracing/tracing";
import { authenticateClient, presentsClient } from "../client-auth";
import { currentClient } from "../document-client";
import { proofOf, spendProof } from "../dpop";
import { invalidRequest, OAuthError } from "../errors";
import { readForm } from "../form";
import { countRefusal } from "../refusals";
import { GRANTS } from "./grants";

/**
 * `POST /oauth/token` (RFC 6749 §3.2): checks the form, the grant type and the client, and then the
 * parameters of the grant.
 */
export async function token(deps: Deps, request: Request): Promise<object> {
  let grantType = "unknown";
  try {
    const form = await readForm(request);
    grantType = GRANTS.find(({ type }) => type === form.get("grant_type"))?.type ?? "unknown";
    const response = await exchangeGrant(deps, request, form);
    count("gatehouse_tokens_issued_total", { grant_type: grantType });
    return response;
  } catch (cause) {
    const error = cause instanceof OAuthError ? cause.code : "server_error";
    count("gatehouse_tokens_refused_total", { grant_type: grantType, error });
    throw cause;
  }
}

async function exchangeGrant(
  deps: Deps,
  request: Request,
  form: Awaited<ReturnType<typeof readForm>>,
): Promise<object> {
  const type = form.get("grant_type");
  if (type === undefined)
    throw invalidRequest("Missing required parameter: grant_type.", "grant_type_missing");
  const grant = GRANTS.find((candidate) => candidate.type === type);
  if (grant === undefined)
    throw new OAuthError("unsupported_grant_type", "This grant_type is not supported.", "grant_type_unknown");
  const proof = await proofOf(deps, request);
  const call = { deps, settings: await readSettings(deps), caller: callerOf(request) };
  if (grant.client === "optional" && !presentsClient(request, form))
    return counted(null, async () =>
      grant.exchange({ ...call, client: null, dpopJkt: await spendProof(deps, proof) }, form),
    );
  const client = await inSpan("authenticate client", async () =>
    currentClient(deps, request, await authenticateClient(deps, request, form)),
  );
  return counted(client.uid, async () => {
    if (client.requiresDpop && proof === null)
      throw invalidRequest("This application must send a DPoP proof (RFC 9449).", "dpop_required");
    return grant.exchange({ ...call, client, dpopJkt: await spendProof(deps, proof) }, form);
  });

  async function counted(clientUid: string | null, exchange: () => Promise<object>): Promise<object> {
    try {
      return await inSpan(`grant ${type}`, exchange);
    } catch (cause) {
      throw await countRefusal(deps, request, clientUid, cause);
    }
  }
}
