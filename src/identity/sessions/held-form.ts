import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { Session } from "./service";
import * as store from "./store";
import { findHeldForm } from "./store.sql";

/** The number of minutes for which a submitted form is stored while the user re-authenticates. */
const MINUTES = 15;

/** The maximum number of stored forms per session. */
const FORMS_MAX = 5;

/**
 * The maximum size of a file in a stored form. A larger file is not stored, so the user must select the file
 * again.
 */
const FILE_BYTES_MAX = 1_048_576;

/**
 * The hidden fields that the framework adds to a form. The values of the hidden fields are not valid in
 * another request.
 */
const OF_FRAMEWORK = /^(?:\d+_)?\$ACTION/;

type HeldFile = Readonly<{ name: string; type: string; base64: string }>;
type Entry = readonly [name: string, value: string | HeldFile];

const purposeOf = (session: Session, page: string): string => `held_form ${digest(session.id)} ${page}`;

/** Encrypts and stores a submitted form, so that the page with the form can show the entered values again. */
export async function holdForm(deps: Deps, session: Session, page: string, form: FormData): Promise<void> {
  const entries: Entry[] = [];
  for (const [name, value] of form)
    if (!OF_FRAMEWORK.test(name) && (typeof value === "string" || value.size <= FILE_BYTES_MAX))
      entries.push([name, await heldValue(value)]);
  const sealed = seal(deps.randomBytes, deps.keys.sealing, purposeOf(session, page), JSON.stringify(entries));
  const expiresAt = new Date(deps.clock().getTime() + MINUTES * 60_000);
  const row = { sessionDigest: digest(session.id), page, sealed, expiresAt };
  await deps.transaction((within) => store.putHeldForm(within.db, row, FORMS_MAX));
}

async function heldValue(value: FormDataEntryValue): Promise<Entry[1]> {
  if (typeof value === "string") return value;
  const base64 = Buffer.from(await value.arrayBuffer()).toString("base64");
  return { name: value.name, type: value.type, base64 };
}

/**
 * Returns the form that is stored for this page and session, with the files of the form; null if no form is
 * stored.
 */
export async function heldForm(deps: Deps, session: Session, page: string): Promise<FormData | null> {
  const row = await findHeldForm(deps.reads, digest(session.id), page);
  if (row === null || row.expiresAt <= deps.clock()) return null;
  const text = openValue(deps.keys, purposeOf(session, page), row.sealed);
  if (text === null) return null;
  const form = new FormData();
  for (const [name, value] of JSON.parse(text) as Entry[])
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new File([Buffer.from(value.base64, "base64")], value.name, { type: value.type }));
  return form;
}

/**
 * Deletes the form that is stored for this page and session.
 * @returns true for exactly one of several concurrent callers, if the form existed.
 */
export const releaseForm = (deps: Deps, session: Session, page: string): Promise<boolean> =>
  store.removeHeldForm(deps.db, digest(session.id), page);

const SECRET = "secret";

/** Encrypts and stores a new secret, which a page of this session shows once. */
export function holdSecret(deps: Deps, session: Session, page: string, secret: string): Promise<void> {
  const form = new FormData();
  form.set(SECRET, secret);
  return holdForm(deps, session, page, form);
}

/**
 * Returns the secret that is stored for this page and session; null if no secret is stored. The function does
 * not delete the secret.
 */
export async function heldSecret(deps: Deps, session: Session, page: string): Promise<string | null> {
  const secret = (await heldForm(deps, session, page))?.get(SECRET);
  return typeof secret === "string" ? secret : null;
}

/**
 * Returns the secret that is stored for this page and session, and deletes the secret. Exactly one caller
 * gets the secret, and every other caller gets null.
 */
export async function takeSecret(deps: Deps, session: Session, page: string): Promise<string | null> {
  const secret = await heldSecret(deps, session, page);
  return secret !== null && (await releaseForm(deps, session, page)) ? secret : null;
}

/** The stored forms of users who must re-authenticate. */
export const sealedForms: SealedColumn = {
  column: "HeldForm.sealed",
  list: store.listSealed,
  purpose: (subject) => `held_form ${subject}`,
  replace: store.replaceSealed,
};
