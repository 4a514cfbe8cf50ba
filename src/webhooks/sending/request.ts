import { createHmac } from "node:crypto";
import type { Config } from "@/kernel/config/config";
import { PRODUCT_NAME, PRODUCT_VERSION } from "@/kernel/config/product";
import type { StoredDelivery } from "../deliveries/service";
import type { Trigger } from "../hooks/rules";
import type { HookSecrets } from "../hooks/service";

/** The values of the header `X-Gitlab-Event`. */
const EVENT_NAMES = {
  push_events: "Push Hook",
  tag_push_events: "Tag Push Hook",
  merge_requests_events: "Merge Request Hook",
  error_events: "Tracked Error Hook",
  security_events: "Security Event Hook",
  audit_events: "Audit Event Hook",
} as const satisfies Record<Trigger, string>;

/**
 * Returns the signature of Standard Webhooks: HMAC-SHA256 of the id, the time and the body of the message.
 * @param secret `whsec_` and the key in base64.
 */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}

/** Returns the headers of the request that sends a message, in GitLab's format and with the signature. */
export function headersOf(
  { baseUrl }: Pick<Config, "baseUrl">,
  { webhook, token, signingSecret }: HookSecrets,
  { uid, eventUid, trigger }: Pick<StoredDelivery, "uid" | "eventUid" | "trigger">,
  { body, now }: Readonly<{ body: string; now: Date }>,
): Readonly<Record<string, string>> {
  const seconds = Math.floor(now.getTime() / 1_000);
  const event = webhook.place.kind === "instance" ? "System Hook" : EVENT_NAMES[trigger as Trigger];
  return {
    "Content-Type": "application/json",
    "User-Agent": `${PRODUCT_NAME}/${PRODUCT_VERSION}`,
    "Idempotency-Key": uid,
    "X-Gitlab-Event": event,
    "X-Gitlab-Event-UUID": eventUid,
    "X-Gitlab-Instance": baseUrl.origin,
    "X-Gitlab-Webhook-UUID": webhook.uid,
    ...(token === null ? {} : { "X-Gitlab-Token": token }),
    "webhook-id": uid,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatureOf(signingSecret, uid, seconds, body),
  };
}

/** The headers whose values the log does not contain. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(["X-Gitlab-Token", "webhook-signature"]);

export const maskSecrets = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? "[REDACTED]" : value]),
  );
