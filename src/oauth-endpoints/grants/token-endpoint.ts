import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { callerOf } from "@/kernel/http/caller";
import { count } from "@/kernel/metrics/metrics";
import { inSpan } from "@/kernel/tracing/tracing";
import { presentsClient, verifyClient } from "../client-auth";
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
  await grant.requireEnabled?.(deps);
  const proof = await proofOf(deps, request);
  const settings = await readSettings(deps);
  const caller = callerOf(request);
  if (grant.client === "optional" && !presentsClient(request, form))
    return counted(null, async () => {
      const dpopJkt = await spendProof(deps, proof);
      return grant.exchange({ deps, settings, client: null, assertion: null, caller, dpopJkt }, form);
    });
  const { client, assertion } = await inSpan("authenticate client", async () => {
    const verified = await verifyClient(deps, request, form);
    return { ...verified, client: await currentClient(deps, request, verified.client) };
  });
  return counted(client.uid, async () => {
    try {
      if (grant.claimsAssertion !== true) await assertion?.claim();
      if (client.requiresDpop && proof === null)
        throw invalidRequest("This application must send a DPoP proof (RFC 9449).", "dpop_required");
      const dpopJkt = await spendProof(deps, proof);
      return await grant.exchange({ deps, settings, client, assertion, caller, dpopJkt }, form);
    } catch (cause) {
      // The assertion of a refused request is marked as used, too. If the assertion was used before, the request
      // is refused for this reason. A request that fails does not use its assertion, so the client can repeat it.
      if (cause instanceof OAuthError && cause.reason !== "assertion_reused") await assertion?.claim();
      throw cause;
    }
  });

  async function counted(clientUid: string | null, exchange: () => Promise<object>): Promise<object> {
    try {
      return await inSpan(`grant ${type}`, exchange);
    } catch (cause) {
      throw await countRefusal(deps, request, clientUid, cause);
    }
  }
}
