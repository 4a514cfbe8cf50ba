import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import type { MailMessage } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import type { MailKind } from "./catalog";
import type { MailContent } from "./layout";
import { MAIL_KEPT_MS } from "./rules";
import * as store from "./store";

/** Returns whether this instance has a mail server. */
export const mailIsOn = ({ config }: Pick<Deps, "config">): boolean => config.mail !== null;

/** Returns the number of e-mails that wait to be sent. */
export const countWaitingMails = ({ db }: Pick<Deps, "db">): Promise<number> => store.countWaiting(db);

export type NewMail = Readonly<{
  kind: MailKind;
  /**
   * The recipient. If the recipient is null, the message is stored but never sent. A request for an unknown
   * e-mail address therefore takes the same time as a request for a known e-mail address.
   */
  to: string | null;
  /** The user whom the message concerns; the message is deleted with the user. */
  userId: number | null;
  subject: string;
  content: MailContent;
  /** The time after which the message is useless, for example because its link expires; by default, after a day. */
  expiresAt?: Date;
}>;

/**
 * Stores an e-mail. A job sends the e-mail later, so that no request waits for a mail server. Within a
 * transaction, the message is sent only if the transaction commits. Without a mail server, the message stays
 * stored, so that the operator can read the message with `gatehouse mail show`.
 * @returns the id of the message.
 */
export function sendMail(
  deps: Pick<Deps, "db" | "clock" | "config" | "keys" | "randomBytes">,
  { kind, to, userId, subject, content, expiresAt }: NewMail,
): Promise<number> {
  const now = deps.clock();
  const uid = Buffer.from(deps.randomBytes(18)).toString("base64url");
  return store.insert(deps.db, {
    uid,
    kind,
    userId,
    recipient: to ?? "",
    subject: subject.replaceAll(/\s+/g, " ").trim(),
    sealedContent: seal(deps.randomBytes, deps.keys.sealing, purposeOf(uid), JSON.stringify(content)),
    state: to === null ? "discarded" : stateOf(deps),
    createdAt: now,
    expiresAt: expiresAt ?? new Date(now.getTime() + MAIL_KEPT_MS),
    nextAttemptAt: now,
  });
}

const stateOf = (deps: Pick<Deps, "config">): string => (mailIsOn(deps) ? "waiting" : "held");

const purposeOf = (uid: string): string => `mail ${uid}`;

/** Returns the content of a message; null when it was deleted. */
export function contentOf(
  deps: Pick<Deps, "keys">,
  { uid, sealedContent }: Pick<MailMessage, "uid" | "sealedContent">,
): MailContent | null {
  const text = sealedContent === null ? null : openValue(deps.keys, purposeOf(uid), sealedContent);
  return text === null ? null : (JSON.parse(text) as MailContent);
}

const LISTED_MAX = 200;

/** Returns the newest stored messages, newest first, at most `LISTED_MAX`. */
export const listMessages = (deps: Pick<Deps, "db">): Promise<readonly MailMessage[]> =>
  store.listNewest(deps.db, LISTED_MAX);

export const findMessage = (deps: Pick<Deps, "db">, id: number): Promise<MailMessage | null> =>
  store.find(deps.db, id);

/**
 * The encrypted contents of e-mails that are not sent yet. A rotation of the instance secret encrypts these
 * contents again.
 */
export const sealedMails: SealedColumn = {
  column: "MailMessage.sealedContent",
  list: store.listSealed,
  purpose: purposeOf,
  replace: store.replaceSealed,
};
