import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { semaphore } from "../process/semaphore.ts";
import { currentWorker } from "../process/worker.ts";

/**
 * The cost of a password hash. The memory is in KiB, and the time is the number of passes over the memory.
 */
export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>;

/** The Argon2id parameters that OWASP recommends: a hash takes 17 ms and 19 MiB. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/**
 * The algorithm Argon2id has the number 2 in the library. The enum of the library does not exist at run time.
 */
const ARGON2 = { algorithm: 2, parallelism: 1 } as const;

/**
 * The maximum length of a password. Longer input is refused before it is hashed, so that attackers cannot
 * keep the server busy with long passwords.
 */
export const PASSWORD_CHARACTERS_MAX = 128;

/**
 * The digest of a random password, so that the password check takes as much time for an unknown user as for a
 * known user.
 */
const nobodys = ({ memoryCost, timeCost }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$2Etkp6Wmh0ojfz+d3v6KkQ$5bT3TUC87gZhTeB6EWIo+1v85CtM4GPewf8x60gTqUs`;

/**
 * The number of simultaneous hashes. Hashing runs on the thread pool, and one processor stays free for other
 * work. The workers of a server share the processors.
 */
const AT_ONCE = currentWorker() === null ? Math.max(1, Math.min(2, availableParallelism() - 1)) : 1;

/**
 * The maximum number of passwords in the queue. A full queue corresponds to a waiting time of about two
 * seconds. When the queue is full, the server refuses additional passwords.
 */
export const PASSWORDS_WAITING_MAX = 128;

/** Raised when too many passwords are being checked. A retry after a few seconds may succeed. */
export class PasswordsBusy extends Error {}

const enter = semaphore("passwords", { atOnce: AT_ONCE, waitingMax: PASSWORDS_WAITING_MAX });

/**
 * Returns the argon2id digest of a password.
 * @param cost the hashing cost, which the dependencies of the service define.
 * @throws PasswordsBusy when the queue is full.
 */
export const passwordDigest = (cost: PasswordCost, password: string): Promise<string> =>
  withPasswordSlot(() => hash(password.normalize("NFC"), { ...ARGON2, ...cost }));

/**
 * Returns whether `password` matches `stored`. If `stored` is null, the check returns false after the same
 * time as the check for a known user. A password that is too long is refused immediately, both for known and
 * for unknown users. Callers must call this function inside of `withPasswordSlot`.
 * @param cost the hashing cost of the digest with which the password for an unknown user is compared.
 * @param stored an argon2id digest, or null for an unknown user.
 */
export async function passwordMatches(
  cost: PasswordCost,
  password: string,
  stored: string | null,
): Promise<boolean> {
  if (password.length > PASSWORD_CHARACTERS_MAX) return false;
  const normalized = password.normalize("NFC");
  const same = await verify(stored ?? nobodys(cost), normalized);
  return same && stored !== null && normalized !== "";
}

/**
 * Runs `work`, which hashes one password, when a slot is free.
 * @throws PasswordsBusy when the queue is full.
 */
export async function withPasswordSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  const leave = await enter();
  if (leave === null) throw new PasswordsBusy("Too many passwords are being checked simultaneously.");
  try {
    return await work();
  } finally {
    leave();
  }
}
