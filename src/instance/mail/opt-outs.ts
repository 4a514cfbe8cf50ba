import type { Deps } from "@/kernel/deps/deps";
import { isMailKind, MAILS, type MailKind, optionalMailKinds } from "./catalog";
import { newLinkToken, openLinkToken } from "./link-token";
import * as store from "./store";

/** Returns whether a user gets e-mails of this kind. */
export const isMailWanted = async (
  deps: Pick<Deps, "db">,
  userId: number,
  kind: MailKind,
): Promise<boolean> => MAILS[kind].security || !(await store.optOutsOf(deps.db, userId)).includes(kind);

/** Returns the kinds of e-mails that a user has switched off. */
export const listOptOuts = (deps: Pick<Deps, "db">, userId: number): Promise<readonly string[]> =>
  store.optOutsOf(deps.db, userId);

/**
 * Stores which optional kinds of e-mails a user gets. All other optional kinds of e-mails are switched off.
 */
export const setWantedMails = (deps: Deps, userId: number, wanted: readonly string[]): Promise<void> =>
  deps.transaction((within) =>
    store.replaceOptOuts(
      within.db,
      userId,
      optionalMailKinds().filter((kind) => !wanted.includes(kind)),
    ),
  );

const PURPOSE = "unsubscribe";
const VALID_SECONDS = 365 * 86_400;

/** Returns the URL that unsubscribes a user from one kind of e-mails; undefined for a kind that cannot be switched off. */
export function unsubscribeUrl(
  deps: Pick<Deps, "config" | "keys" | "clock" | "randomBytes">,
  userId: number,
  kind: MailKind,
): string | undefined {
  if (MAILS[kind].security) return undefined;
  const token = newLinkToken(deps, PURPOSE, `${userId} ${kind}`, VALID_SECONDS);
  return `${deps.config.issuer}/-/mail/unsubscribe?token=${token}`;
}

/** Returns the user and the kind of e-mails to which an unsubscribe URL applies; null for an invalid URL. */
export function openUnsubscribeToken(
  deps: Pick<Deps, "keys" | "clock">,
  token: string,
): Readonly<{ userId: number; kind: MailKind }> | null {
  const [id = "", kind = ""] = openLinkToken(deps, PURPOSE, token)?.split(" ") ?? [];
  return isMailKind(kind) && !MAILS[kind].security ? { userId: Number(id), kind } : null;
}

/** Switches off one kind of e-mails for a user. */
export const unsubscribe = (
  deps: Pick<Deps, "db">,
  { userId, kind }: Readonly<{ userId: number; kind: MailKind }>,
): Promise<void> => store.insertOptOut(deps.db, userId, kind);
