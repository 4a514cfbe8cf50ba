import { isOn } from "@/instance/flags/service";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf } from "@/kernel/http/ip-address";
import { withAdmittedScopes } from "@/oauth/applications/unregistered";
import { requestedScopes } from "@/oauth/authorizations/request-errors";
import * as devices from "@/oauth/device-authorizations/service";
import { shownUserCode } from "@/oauth/device-authorizations/user-code";
import { authenticateClient } from "./client-auth";
import { deviceGrantOff } from "./device-refusals";
import { readClientOf } from "./document-client";
import { OAuthError, resourceNotSupported } from "./errors";
import { readForm } from "./form";
import { countRefusal, reserveForPublicClient } from "./refusals";

/**
 * `POST /oauth/authorize_device` (RFC 8628 §3.1, §3.2): issues a device code and the code that the user enters.
 * @throws OAuthError with the status 429 after too many requests of a public client.
 */
export async function authorizeDevice(deps: Deps, request: Request): Promise<object> {
  if (!(await isOn(deps, "oauth2_device_grant_flow"))) throw deviceGrantOff(404);
  const form = await readForm(request);
  await readClientOf(deps, request, form);
  const application = await withAdmittedScopes(deps, await authenticateClient(deps, request, form));
  if (form.has("resource")) throw resourceNotSupported("device_resource");
  const scopes = requestedScopes(form.get("scope"), application);
  if (scopes === null) {
    const refusal = new OAuthError(
      "invalid_scope",
      "A requested scope is unknown or not registered for this application.",
      "scope_not_allowed",
    );
    throw await countRefusal(deps, request, application.uid, refusal);
  }
  await reserveForPublicClient(deps, request, application, "device_request_per_client");
  const origin = { ipAddress: clientIpOf(request), userAgent: request.headers.get("user-agent") };
  const codes = await devices.begin(deps, await readSettings(deps), { application, scopes, origin });
  const userCode = shownUserCode(codes.userCode);
  const verificationUri = `${deps.config.issuer}/oauth/device`;
  return {
    device_code: codes.deviceCode,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: `${verificationUri}?user_code=${userCode}`,
    expires_in: codes.expiresInSeconds,
    interval: codes.intervalSeconds,
  };
}
