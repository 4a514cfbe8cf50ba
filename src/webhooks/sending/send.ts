import { postMessage } from "@/instance/outbound-messages/post-message";
import type { Deps } from "@/kernel/deps/deps";
import { RESPONSE_LOGGED_MAX } from "../deliveries/rules";
import type * as deliveries from "../deliveries/service";
import type { HookSecrets } from "../hooks/service";
import { headersOf, maskSecrets } from "./request";

/** The result of a request to a receiver, in the form in which the message log stores the result. */
export type SentRequest = Readonly<{
  requestHeaders: string;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: string | null;
  durationMs: number;
  lastError: string | null;
}>;

/**
 * Sends a message once. Redirects are not followed. If the receiver does not respond or responds with an
 * error, the promise still resolves.
 */
export async function sendOnce(
  deps: Deps,
  hook: HookSecrets,
  delivery: deliveries.StoredDelivery,
  body: string,
): Promise<SentRequest> {
  const headers = headersOf(deps.config, hook, delivery, { body, now: deps.clock() });
  const { url } = hook.webhook;
  const { response, durationMs, lastError } = await postMessage(deps, { url, headers, body, http: "always" });
  const sent = { requestHeaders: JSON.stringify(maskSecrets(headers)), durationMs, lastError };
  if (response === null) return { ...sent, responseStatus: null, responseHeaders: null, responseBody: null };
  const text = new TextDecoder().decode(response.body.subarray(0, RESPONSE_LOGGED_MAX));
  return {
    ...sent,
    responseStatus: response.status,
    responseHeaders: JSON.stringify(Object.fromEntries(response.headers)),
    // The character U+0000 is removed, because PostgreSQL rejects it in text.
    responseBody: text.replaceAll("\0", ""),
  };
}
