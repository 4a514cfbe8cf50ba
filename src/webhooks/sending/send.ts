import { BlockList } from "node:net";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import type { AllowedAddresses } from "@/kernel/http/outbound-address";
import { OutboundRequestError } from "@/kernel/http/outbound-error";
import { sendOutboundRequest } from "@/kernel/http/outbound-request";
import { REQUEST_MS, RESPONSE_BYTES_MAX, RESPONSE_LOGGED_MAX } from "../deliveries/rules";
import type * as deliveries from "../deliveries/service";
import type { HookSecrets } from "../hooks/service";
import { headersOf, maskSecrets } from "./request";

/** The result of a request, as the log stores it. */
export type SentRequest = Readonly<{
  requestHeaders: string;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: string | null;
  durationMs: number;
  lastError: string | null;
}>;

const LOCAL_RANGES = [
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["fc00::", 7, "ipv6"],
] as const;

/** Returns the addresses of the local network. Link-local addresses, such as those of cloud metadata, are never allowed. */
function localAddresses(): AllowedAddresses {
  const ranges = new BlockList();
  for (const [network, bits, version] of LOCAL_RANGES) ranges.addSubnet(network, bits, version);
  return { loopback: true, ranges };
}

async function allowedAddresses(deps: Deps): Promise<AllowedAddresses> {
  const { allow_local_requests_from_web_hooks_and_services: isAllowed } = await readSettings(deps);
  return isAllowed ? localAddresses() : {};
}

/** Sends a message once. Redirects are not followed. The promise never rejects because of the receiver. */
export async function sendOnce(
  deps: Deps,
  hook: HookSecrets,
  delivery: deliveries.StoredDelivery,
  body: string,
): Promise<SentRequest> {
  const headers = headersOf(deps.config, hook, delivery, { body, now: deps.clock() });
  const startedAt = performance.now();
  const sent = { requestHeaders: JSON.stringify(maskSecrets(headers)) };
  const elapsed = () => ({ durationMs: Math.round(performance.now() - startedAt) });
  try {
    const response = await sendOutboundRequest(new URL(hook.webhook.url), {
      method: "POST",
      ...{ body, headers, http: "always", deadlineMs: REQUEST_MS, bytesMax: RESPONSE_BYTES_MAX },
      allow: await allowedAddresses(deps),
    });
    const text = new TextDecoder().decode(response.body.subarray(0, RESPONSE_LOGGED_MAX));
    return {
      ...sent,
      ...elapsed(),
      responseStatus: response.status,
      responseHeaders: JSON.stringify(Object.fromEntries(response.headers)),
      // PostgreSQL rejects U+0000 in text.
      responseBody: text.replaceAll("\0", ""),
      lastError: null,
    };
  } catch (cause) {
    if (!(cause instanceof OutboundRequestError)) throw cause;
    return {
      ...{ ...sent, ...elapsed() },
      ...{ responseStatus: null, responseHeaders: null, responseBody: null },
      lastError: cause.message,
    };
  }
}
