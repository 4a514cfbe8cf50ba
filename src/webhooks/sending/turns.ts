import { SENT_AT_ONCE } from "@/instance/outbound-messages/rules";
import type { Deps } from "@/kernel/deps/deps";
import * as deliveries from "../deliveries/service";
import { DISABLED_AFTER, type HookPlace } from "../hooks/rules";
import { placeOf } from "../hooks/service";

/** The maximum number of simultaneously sent messages from the webhooks of one owner. */
const SENT_AT_ONCE_BY_OWNER = 2;

/** The maximum number of owners whose messages one query excludes. */
const SERVED_MAX = 500;

/**
 * Chooses the next messages to send. The messages of different owners are chosen in turn, so that one owner
 * does not delay the messages of other owners.
 */
export type Turns = Readonly<{
  /**
   * Returns the next messages to send.
   * @param sending the owners of the webhooks whose messages are being sent, by the ids of the webhooks.
   */
  next: (sending: ReadonlyMap<number, HookPlace>) => Promise<readonly deliveries.DueDelivery[]>;
}>;

export function createTurns(deps: Deps): Turns {
  /** The owners whose messages were already chosen in the current cycle. */
  const served = new Map<string, HookPlace>();
  const list = (sending: ReadonlyMap<number, HookPlace>, owners: readonly HookPlace[]) =>
    deliveries.listDue(
      deps.db,
      deps.clock(),
      { webhookIds: [...sending.keys()], owners },
      { failuresMax: DISABLED_AFTER, most: 4 * SENT_AT_ONCE },
    );
  return {
    next: async (sending) => {
      if (sending.size >= SENT_AT_ONCE) return [];
      const counts = new Map<string, number>();
      for (const owner of sending.values()) counts.set(keyOf(owner), (counts.get(keyOf(owner)) ?? 0) + 1);
      const full = [...sending.values()].filter(
        (owner) => (counts.get(keyOf(owner)) ?? 0) >= SENT_AT_ONCE_BY_OWNER,
      );
      if (served.size >= SERVED_MAX) served.clear();
      let due = await list(sending, [...full, ...served.values()]);
      if (due.length === 0 && served.size > 0) {
        served.clear();
        due = await list(sending, full);
      }
      const chosen = new Map<string, deliveries.DueDelivery>();
      for (const delivery of due) {
        const owner = placeOf(delivery.webhook);
        if (sending.size + chosen.size >= SENT_AT_ONCE) break;
        if (chosen.has(keyOf(owner))) continue;
        chosen.set(keyOf(owner), delivery);
        served.set(keyOf(owner), owner);
      }
      return [...chosen.values()];
    },
  };
}

const keyOf = (owner: HookPlace): string =>
  owner.kind === "instance" ? owner.kind : `${owner.kind} ${owner.id}`;
