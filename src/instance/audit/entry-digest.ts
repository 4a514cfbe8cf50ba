import { createHmac } from "node:crypto";
import type { KeySet, SecretKeys } from "@/kernel/crypto/keys";
import type { Ends, NewEvent, SignedEnds } from "./store";

/** The position of an event in the hash chain. */
export type Link = Readonly<{ previousDigest: string; digest: string }>;

/**
 * Returns the digest of an audit event together with the digest of the previous event. The returned digest is
 * keyed with the instance secret. A person who can change the database, but does not have the instance
 * secret, therefore cannot compute the digests of changed events.
 */
export function digestOf(keys: Pick<KeySet, "audit">, previousDigest: string, event: NewEvent): string {
  const { name, at, userId, applicationId, actorId, byCommandLine, details } = event;
  const content = [
    previousDigest,
    name,
    at.toISOString(),
    userId,
    applicationId,
    actorId,
    byCommandLine,
    details,
  ];
  return createHmac("sha256", keys.audit).update(JSON.stringify(content)).digest("base64url");
}

/** Returns the events with their positions in the hash chain, and the digest of the last event. */
export function linkEvents<Event extends NewEvent>(
  keys: Pick<KeySet, "audit">,
  headDigest: string,
  events: readonly Event[],
): Readonly<{ linked: readonly (Event & Link)[]; headDigest: string }> {
  let head = headDigest;
  const linked = events.map((event) => {
    const previousDigest = head;
    head = digestOf(keys, previousDigest, event);
    return { ...event, previousDigest, digest: head };
  });
  return { linked, headDigest: head };
}

/**
 * Returns the ends of the hash chain with a keyed digest of the ends. The keyed digest ensures that only a
 * person with the instance secret can remove events from an end of the hash chain and store valid new ends.
 */
export const signEnds = (keys: Pick<KeySet, "audit">, { anchorDigest, headDigest }: Ends): SignedEnds => ({
  anchorDigest,
  headDigest,
  signature: createHmac("sha256", keys.audit)
    .update(JSON.stringify(["ends", anchorDigest, headDigest]))
    .digest("base64url"),
});

/**
 * Returns the keys that can authenticate an event or the ends of the hash chain: the current key, and the
 * keys of earlier instance secrets.
 * @param eventId the id of the event; null for the ends of the hash chain, whose keyed digest is computed
 * again for each new event.
 */
export const acceptedKeys = (
  { audit, previousAudits }: Pick<SecretKeys, "audit" | "previousAudits">,
  eventId: number | null,
): readonly Pick<KeySet, "audit">[] => [
  { audit },
  ...previousAudits.flatMap(({ key, upTo }) =>
    upTo === null || (eventId !== null && eventId <= upTo) ? [{ audit: key }] : [],
  ),
];
