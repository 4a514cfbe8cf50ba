import { csrfToken, csrfTokenMatches } from "@/kernel/crypto/keys";
import type { Deps } from "@/kernel/deps/deps";

/**
 * The length of the time slots from which nonces are derived. A nonce is valid in its time slot and in the
 * next time slot.
 */
export const NONCE_SLOT_SECONDS = 120;

type Clock = Pick<Deps, "keys" | "clock">;

const slotAt = ({ clock }: Clock): number => Math.floor(clock().getTime() / 1000 / NONCE_SLOT_SECONDS);

const subjectOf = (slot: number): string => `dpop_nonce ${slot}`;

/**
 * Returns the current nonce for DPoP proofs (RFC 9449 §8). The nonce is derived from the time and the
 * instance secret. All processes therefore accept the nonce, and no process needs to store the nonce.
 */
export const dpopNonce = (deps: Clock): string => csrfToken(deps.keys, subjectOf(slotAt(deps)));

/** Returns whether a nonce belongs to the current time slot or to the previous time slot. */
export function isCurrentNonce(deps: Clock, nonce: string): boolean {
  const slot = slotAt(deps);
  return [slot, slot - 1].some((each) => csrfTokenMatches(deps.keys, subjectOf(each), nonce));
}
