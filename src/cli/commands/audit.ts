import { type Break, verifyChain } from "@/instance/audit/verification";
import { defineCommand } from "./command";

const REASONS = {
  changed: "the content of the event does not match the digest of the event",
  not_linked: "the previous event was removed, or events were inserted or reordered",
  not_in_chain: "the event is not in the hash chain",
} as const satisfies Record<Break, string>;

const auditVerify = defineCommand({
  name: "audit verify",
  usage: "[--includes DIGEST]",
  about:
    "Verify the hash chain of the audit trail. With --includes, also check that the chain contains a digest that an earlier run printed.",
  options: { includes: "text" },
  run: async ({ open }, { includes }) => {
    const { deps } = await open();
    const result = await verifyChain(deps, includes);
    const { events } = result;
    if (!result.isIntact) {
      const { event } = result;
      const text =
        event === null
          ? `The last events of the audit trail are missing, or the state of the chain was changed (${events} events verified).`
          : `The audit event ${event.id} (${event.name}, ${event.at.toISOString()}) breaks the chain: ${REASONS[event.because]} (${events} events verified).`;
      return { text, json: { intact: false, events, broken: event }, failed: true };
    }
    if (!result.includesEarlier)
      return {
        text: `No audit event has the digest ${includes}: the last events were removed, or the event with this digest was pruned (${events} events verified).`,
        json: { intact: false, events, broken: null },
        failed: true,
      };
    const { headDigest } = result;
    return {
      text: `The audit trail is intact: ${events} events, last digest ${headDigest || "(none)"}.`,
      json: { intact: true, events, digest: headDigest },
    };
  },
});

export const commands = [auditVerify];
