import { z } from "zod";
import { isOn } from "@/instance/flags/service";
import { enqueueGrantUse } from "@/instance/last-use/service";
import { countEvent } from "@/instance/statistics/service";
import { poll } from "@/oauth/device-authorizations/polling";
import { deviceGrantOff, pollRefusal } from "../device-refusals";
import { resourceNotSupported } from "../errors";
import { idTokenFor } from "../id-token";
import { tokenResponse } from "../token-response";
import { defineGrant } from "./grant";

const fields = z.object({ device_code: z.string().max(4096), resource: z.string().optional() });

/**
 * The device authorization grant (RFC 8628 §3.4): a device polls until the user has allowed or denied the
 * device request.
 */
export const deviceCode = defineGrant({
  type: "urn:ietf:params:oauth:grant-type:device_code",
  fields,
  requireEnabled: async (deps) => {
    if (!(await isOn(deps, "oauth2_device_grant_flow"))) throw deviceGrantOff(400);
  },
  exchange: async ({ deps, settings, client, caller, dpopJkt }, form) => {
    if (form.resource !== undefined) throw resourceNotSupported("device_resource");
    const outcome = await poll(deps, settings, client, form.device_code, dpopJkt);
    if ("refused" in outcome) throw pollRefusal(outcome);
    const { familyId } = outcome;
    enqueueGrantUse(deps, { familyId, applicationId: client.id, lastUsedAt: null }, () => caller);
    countEvent(deps, "token.issued", client.uid);
    const idToken = await idTokenFor(deps, settings, { issued: outcome, application: client, nonce: null });
    return { ...tokenResponse(outcome), ...(dpopJkt === null ? { token_type: "Bearer" } : {}), ...idToken };
  },
});
