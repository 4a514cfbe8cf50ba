/** The maximum number of characters that the message log stores from each response. */
export const RESPONSE_LOGGED_MAX = 8_192;

/** The maximum number of waiting messages of one webhook. Further messages are dropped. */
export const WAITING_MAX = 1_000;

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Returns whether the body of a message was created for an earlier URL of its webhook. */
export const isForOtherUrl = (
  { urlChangedAt }: Readonly<{ urlChangedAt: Date | null }>,
  { createdAt, body }: Readonly<{ createdAt: Date; body: string | null }>,
): boolean => body !== null && urlChangedAt !== null && createdAt <= urlChangedAt;
