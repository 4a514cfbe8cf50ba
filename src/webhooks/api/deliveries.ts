import { z } from "zod";
import { ApiError, notFound, unprocessable } from "@/http-api/errors";
import { id } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { findDelivery, listDeliveries, resend } from "../deliveries/service";
import { sendTest, type TestRefusal } from "../events/test-event";
import { ALL_TRIGGERS, triggersOf } from "../hooks/rules";
import type { ShownDelivery } from "./entities/delivery";
import { type HookOwner, hookReference, requireHook } from "./hooks";

const STATUS_RANGES = {
  successful: { from: 200, to: 299 },
  client_failure: { from: 400, to: 499 },
  server_failure: { from: 500, to: 599 },
} as const;

export const deliverySearch = hookReference.extend({
  status: z
    .union([z.enum(["successful", "client_failure", "server_failure"]), z.string().regex(/^\d{3}$/), z.int()])
    .optional()
    .meta({ type: "string" })
    .describe(
      "The status code of a response, or one of the values successful, client_failure and server_failure.",
    ),
});
export const deliveryReference = hookReference.extend({ event_id: id });
export const testTrigger = hookReference.extend({ trigger: z.enum(ALL_TRIGGERS) });

const rangeOf = (status: z.infer<typeof deliverySearch>["status"]) => {
  if (status === undefined) return null;
  if (Object.hasOwn(STATUS_RANGES, status)) return STATUS_RANGES[status as keyof typeof STATUS_RANGES];
  return { from: Number(status), to: Number(status) };
};

const TEST_REFUSALS = {
  no_commits: "Ensure the project has at least one commit.",
  no_merge_requests: "Ensure the project has merge requests.",
  not_testable: "This event cannot be tested.",
} as const satisfies Record<Exclude<TestRefusal, "too_many">, string>;

const tooMany = (): ApiError =>
  new ApiError(429, {
    message: { error: "This endpoint has been requested too many times. Try again later." },
  });

/**
 * Returns the handlers of the endpoints that list, test and repeat the messages of the webhooks of one owner.
 */
export const deliveryEndpoints = <Context>({ placeOf, userOf }: HookOwner<Context>) => ({
  list: async (
    deps: Deps,
    context: Context,
    { hook_id, status }: z.infer<typeof deliverySearch>,
    paging: Paging,
  ): Promise<Page<ShownDelivery>> => {
    const { url } = await requireHook(deps, placeOf(context), hook_id);
    const page = paging.kind === "offset" ? paging.page : 1;
    const filter = { status: rangeOf(status), isSent: true };
    const part = await listDeliveries(deps, hook_id, filter, { page, perPage: paging.perPage });
    return { ...part, rows: part.rows.map((delivery) => ({ delivery, url })) };
  },
  resend: async (
    deps: Deps,
    context: Context,
    { hook_id, event_id }: z.infer<typeof deliveryReference>,
  ): Promise<number> => {
    const webhook = await requireHook(deps, placeOf(context), hook_id);
    const delivery = await findDelivery(deps, hook_id, event_id);
    if (delivery === null) throw notFound();
    const sentAgain = await resend(deps, webhook, delivery);
    if (sentAgain === "too_many") throw tooMany();
    if (sentAgain === "url_changed")
      throw unprocessable(["The URL of the webhook changed after the message was created."]);
    return sentAgain;
  },
  test: async (
    deps: Deps,
    context: Context,
    { hook_id, trigger }: z.infer<typeof testTrigger>,
  ): Promise<null> => {
    const webhook = await requireHook(deps, placeOf(context), hook_id);
    if (!triggersOf(webhook.place.kind).includes(trigger)) throw unprocessable([TEST_REFUSALS.not_testable]);
    const outcome = await sendTest(deps, webhook, trigger, userOf(context));
    if (outcome === "too_many") throw tooMany();
    if (typeof outcome === "string") throw unprocessable([TEST_REFUSALS[outcome]]);
    return null;
  },
});
