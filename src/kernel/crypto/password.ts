import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { semaphore } from "../process/semaphore.ts";

/** What a hash costs: KiB of memory, and how many times they are filled. */
export type PasswordCost = Readonly<{ memoryCost: number; timeCost: number }>;

/** As OWASP advises: 17 ms, 19 MiB. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/** Argon2id is 2 in the library's numbering, whose enum is not there at run time. */
const ARGON2 = { algorithm: 2, parallelism: 1 } as const;

/** Longer input is refused before it is hashed: hashing must not be a way to keep the server busy. */
export const PASSWORD_CHARACTERS_MAX = 128;

/** The digest of a password nobody has, so that an unknown name costs as much time as a known one. */
const nobodys = ({ memoryCost, timeCost }: PasswordCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$2Etkp6Wmh0ojfz+d3v6KkQ$5bT3TUC87gZhTeB6EWIo+1v85CtM4GPewf8x60gTqUs`;

/** Hashing runs on the thread pool; one processor stays free for everything else. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Who would have to wait for longer than about two seconds is sent away instead. */
export const PASSWORDS_WAITING_MAX = 128;

/** Too many passwords are being checked at once. Trying again in a few seconds is worth it. */
export class PasswordsBusy extends Error {}

const enter = semaphore("passwords", { atOnce: AT_ONCE, waitingMax: PASSWORDS_WAITING_MAX });

/**
 * The argon2id digest of a password.
 * @param cost the deps of a service have it.
 * @throws PasswordsBusy when the line is full.
 */
export const passwordDigest = (cost: PasswordCost, password: string): Promise<string> =>
  withPasswordSlot(() => hash(password.normalize("NFC"), { ...ARGON2, ...cost }));

/**
 * Whether `password` is the one behind `stored`; takes the same time when `stored` is null. One that is too long to
 * be anybody's is refused at once, whoever is asked for. Call it inside `passwordTurn`.
 * @param cost of the digest that stands for the one of nobody.
 * @param stored an argon2id digest, or null when there is no such person.
 */
export async function passwordMatches(
  cost: PasswordCost,
  password: string,
  stored: string | null,
): Promise<boolean> {
  if (password.length > PASSWORD_CHARACTERS_MAX) return false;
  const given = password.normalize("NFC");
  const same = await verify(stored ?? nobodys(cost), given);
  return same && stored !== null && given !== "";
}

/**
 * Runs `work`, which hashes once, when it is its turn.
 * @throws PasswordsBusy when the line is full.
 */
export async function withPasswordSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  const leave = await enter();
  if (leave === null) throw new PasswordsBusy("Too many passwords are being checked at once.");
  try {
    return await work();
  } finally {
    leave();
  }
}
