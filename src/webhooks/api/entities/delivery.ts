import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import type { StoredDelivery } from "@/webhooks/deliveries/service";

/** A message of a webhook, and the URL to which it was sent. */
export type ShownDelivery = Readonly<{ delivery: StoredDelivery; url: string }>;

const headers = z.record(z.string(), z.string());
const objectIn = (json: string | null): Record<string, string> =>
  json === null ? {} : (JSON.parse(json) as Record<string, string>);

export const hookEvent = defineEntity(
  "webhook_event",
  {
    id: z.int(),
    url: z.string(),
    trigger: z.string(),
    request_headers: headers,
    request_data: z.record(z.string(), z.unknown()),
    response_headers: headers,
    response_body: z.string(),
    execution_duration: z.number().describe("The duration of the last request in seconds."),
    response_status: z.string().describe("The status of the last response, or `internal error`."),
  },
  ({ delivery, url }: ShownDelivery) => ({
    id: delivery.id,
    url,
    trigger: delivery.trigger.replace(/_events$/, "_hooks"),
    request_headers: objectIn(delivery.requestHeaders),
    request_data: delivery.body === null ? {} : (JSON.parse(delivery.body) as Record<string, unknown>),
    response_headers: objectIn(delivery.responseHeaders),
    response_body: delivery.responseBody ?? delivery.lastError ?? "",
    execution_duration: (delivery.durationMs ?? 0) / 1_000,
    response_status: delivery.responseStatus === null ? "internal error" : String(delivery.responseStatus),
  }),
);

/** The response to a request to send a message again. */
export const resent = defineEntity(
  "webhook_event_resent",
  { response_status: z.null().describe("A job sends the message of the webhook later."), id: z.int() },
  (id: number) => ({ response_status: null, id }),
);
