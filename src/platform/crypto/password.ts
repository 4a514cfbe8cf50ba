import { hash, verify } from "@node-rs/argon2";

/** Argon2id (2 in the library's numbering, whose enum is not there at run time), as OWASP advises: 17 ms, 19 MiB. */
const ARGON2 = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Longer input is refused before it is hashed: hashing must not be a way to keep the server busy. */
export const PASSWORD_CHARACTERS_MAX = 128;

/** The digest of a password nobody has, so that an unknown name costs as much time as a known one. */
const NOBODY =
  "$argon2id$v=19$m=19456,t=2,p=1$2Etkp6Wmh0ojfz+d3v6KkQ$5bT3TUC87gZhTeB6EWIo+1v85CtM4GPewf8x60gTqUs";

/** Hashing runs on the thread pool; two at once leave it free for everything else. */
const AT_ONCE = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** The argon2id digest of a password. */
export const passwordDigest = (password: string): Promise<string> =>
  inTurn(() => hash(password.normalize("NFC"), ARGON2));

/**
 * Whether `password` is the one behind `stored`; takes the same time when `stored` is null.
 * @param stored an argon2id digest, or null when there is no such person.
 */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  const given = password.length > PASSWORD_CHARACTERS_MAX ? "" : password.normalize("NFC");
  const same = await inTurn(() => verify(stored ?? NOBODY, given));
  return same && stored !== null && given !== "";
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
