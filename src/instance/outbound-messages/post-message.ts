import { BlockList } from "node:net";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import type { AllowedAddresses } from "@/kernel/http/outbound-address";
import { OutboundRequestError } from "@/kernel/http/outbound-error";
import { type OutboundResponse, sendOutboundRequest } from "@/kernel/http/outbound-request";
import { REQUEST_MS, RESPONSE_BYTES_MAX } from "./rules";

/** A message to a URL that a user or a client has chosen. */
export type OutboundMessage = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The URLs for which the scheme http is allowed. */
  http: "loopback" | "always";
  /**
   * The IP addresses to which the message may be sent: public IP addresses and the local IP addresses that the
   * settings allow, the same addresses and loopback addresses, or only public IP addresses. The default is
   * `by_settings`.
   */
  addresses?: "by_settings" | "by_settings_and_loopback" | "public";
}>;

/** The result of a request: the response, or the reason why there is no response. */
export type PostResult = Readonly<{
  response: OutboundResponse | null;
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

/**
 * Returns the IP addresses of local networks to which messages may be sent. Link-local IP addresses, such as
 * the IP addresses of cloud metadata services, are never allowed.
 */
function localAddresses(): AllowedAddresses {
  const ranges = new BlockList();
  for (const [network, bits, version] of LOCAL_RANGES) ranges.addSubnet(network, bits, version);
  return { loopback: true, ranges };
}

async function allowedAddresses(
  deps: Deps,
  addresses: NonNullable<OutboundMessage["addresses"]>,
): Promise<AllowedAddresses> {
  if (addresses === "public") return {};
  const { allow_local_requests_from_web_hooks_and_services: isAllowed } = await readSettings(deps);
  return isAllowed ? localAddresses() : { loopback: addresses === "by_settings_and_loopback" };
}

/**
 * Sends a message once. Redirects are not followed. If the receiver does not respond or responds with an
 * error, the promise still resolves.
 */
export async function postMessage(
  deps: Deps,
  { url, headers, body, http, addresses = "by_settings" }: OutboundMessage,
): Promise<PostResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const response = await sendOutboundRequest(new URL(url), {
      method: "POST",
      ...{ body, headers, http, deadlineMs: REQUEST_MS, bytesMax: RESPONSE_BYTES_MAX },
      allow: await allowedAddresses(deps, addresses),
    });
    return { response, durationMs: elapsed(), lastError: null };
  } catch (cause) {
    if (!(cause instanceof OutboundRequestError)) throw cause;
    return { response: null, durationMs: elapsed(), lastError: cause.message };
  }
}
