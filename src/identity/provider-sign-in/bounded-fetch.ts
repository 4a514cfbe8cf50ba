import { BlockList } from "node:net";
import type { CustomFetch } from "openid-client";
import { sendOutboundRequest } from "@/kernel/http/outbound-request";

const BYTES_MAX = 512 * 1024;

/** Only administrators set the URLs of providers, so a provider may have a private IP address. */
const EVERYWHERE = new BlockList();
EVERYWHERE.addSubnet("0.0.0.0", 0, "ipv4");
EVERYWHERE.addSubnet("::", 0, "ipv6");

/**
 * Returns a function that sends a request to an external identity provider. Redirects are not followed. The
 * request fails if the response is too large or not complete in time. The OpenID Connect client refuses http
 * URLs unless the issuer has an http URL.
 */
export const fetchWithin =
  (deadlineMs: number): CustomFetch =>
  async (url, { method, headers, body }) => {
    const limits = {
      deadlineMs,
      bytesMax: BYTES_MAX,
      http: "always",
      allow: { ranges: EVERYWHERE },
      headers,
    } as const;
    const response = await sendOutboundRequest(
      new URL(url),
      method === "POST"
        ? { ...limits, method, body: String(body ?? "") }
        : { ...limits, method: "GET", redirectsMax: 0 },
    );
    const hasBody = ![204, 205, 304].includes(response.status);
    return new Response(hasBody ? Buffer.from(response.body) : null, {
      status: response.status,
      headers: response.headers,
    });
  };

/** Sends a request to an external identity provider, and aborts the request after 10 seconds. */
export const boundedFetch = fetchWithin(10_000);
