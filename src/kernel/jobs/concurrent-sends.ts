import { setTimeout as pause } from "node:timers/promises";

/** The interval at which a job looks for new messages while the job waits for slow receivers. */
const LOOK_AGAIN_MS = 500;

/** A queue of messages whose receivers may be slow. */
export type SendQueue<Message, Owner> = Readonly<{
  /**
   * Returns messages that are due. The result contains at most one message for each key.
   * @param sending the keys of the messages that are being sent, each with the owner of the message.
   */
  next: (sending: ReadonlyMap<number, Owner>) => Promise<readonly Message[]>;
  /** Returns the key of a message. The messages with the same key are sent one after another. */
  keyOf: (message: Message) => number;
  ownerOf: (message: Message) => Owner;
  /** Sends a message. The promise never rejects. */
  send: (message: Message) => Promise<void>;
}>;

/**
 * Sends messages, at most `most` simultaneously, until no message is due. A slow receiver does not delay the messages
 * with other keys.
 */
export async function sendConcurrently<Message, Owner>(
  queue: SendQueue<Message, Owner>,
  most: number,
  signal?: AbortSignal,
): Promise<void> {
  const owners = new Map<number, Owner>();
  const sending = new Map<number, Promise<void>>();
  const start = (message: Message): void => {
    const key = queue.keyOf(message);
    owners.set(key, queue.ownerOf(message));
    const sent = queue.send(message).finally(() => {
      owners.delete(key);
      sending.delete(key);
    });
    sending.set(key, sent);
  };
  while (!signal?.aborted) {
    const wasIdle = sending.size === 0;
    const due = sending.size >= most ? [] : await queue.next(owners);
    for (const message of due) start(message);
    if (wasIdle && due.length === 0) return;
    const isMorePossible = sending.size === 0 || (due.length > 0 && sending.size < most);
    if (!isMorePossible) await Promise.race([...sending.values(), pause(LOOK_AGAIN_MS)]);
  }
  await Promise.all(sending.values());
}
