import * as audit from "@/instance/audit/service";
import { type KeySet, replaceKeys, type SecretKeys } from "@/kernel/crypto/keys";
import { seal } from "@/kernel/crypto/seal";
import { openValue } from "@/kernel/crypto/sealed-value";
import type { Db } from "@/kernel/db/db";
import { isMissingTable } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { lockInstance } from "../lock/instance-lock";
import { replaceSecretCheck, secretCheckOf } from "../lock/secret-check";
import { readSettings } from "../settings/service";
import { acceptsOldSessions, type RotationStage, stageOf } from "./rules";
import type { SealedColumn } from "./sealed-column";
import * as store from "./store";

/**
 * The maximum number of rotations that the server reads. Audit events and session cookies from before the
 * oldest of these rotations cannot be verified.
 */
const ROTATIONS_READ = 20;

/**
 * The secrets of the database: the secret that encrypts new values, and the rotations that determine the
 * accepted keys.
 */
export type SecretState = Readonly<{
  /** The check value of the secret that encrypts new values; null for a new database. */
  check: string | null;
  rotations: readonly store.RotationRow[];
}>;

/**
 * Returns the state of the secrets in the database. The function also works before the migrations have run.
 */
export async function readSecretState(db: Db): Promise<SecretState> {
  const [check, rotations] = await Promise.all([
    secretCheckOf(db).catch(missingAs(null)),
    store.newest(db, ROTATIONS_READ).catch(missingAs([])),
  ]);
  return { check, rotations };
}

const missingAs =
  <Value>(value: Value) =>
  (cause: unknown): Value => {
    if (isMissingTable(cause)) return value;
    throw cause;
  };

/** A rotation of the instance secret that is in progress. */
export type OpenRotation = Readonly<{
  id: number;
  stage: Exclude<RotationStage, "retired">;
  previousCheck: string;
  check: string;
  /** The host and the id of a process that does not have the new secret. */
  refusedBy: string | null;
}>;

/** Returns the rotation in progress; null when there is none. */
export function openRotationIn({ rotations }: SecretState): OpenRotation | null {
  const [row] = rotations;
  const stage = row === undefined ? "retired" : stageOf(row);
  if (row === undefined || stage === "retired") return null;
  const { id, previousCheck, check, refusedBy } = row;
  return { id, stage, previousCheck, check, refusedBy };
}

/**
 * Selects the keys of a process from the secrets that are available to the process. New values are encrypted
 * with the keys of the secret that the database selects. While a rotation is in progress, the keys of the
 * other secret of the rotation are also accepted.
 * @param sets the keys of each secret that the process has.
 * @returns null if the process does not have the secret that the database selects.
 */
export function selectKeys(state: SecretState, sets: readonly KeySet[], now: Date): SecretKeys | null {
  const current = sets.find(({ check }) => check === state.check);
  if (current === undefined) return null;
  const rotation = openRotationIn(state);
  const checks = rotation === null ? [] : [rotation.previousCheck, rotation.check];
  const previous = sets.filter((set) => set !== current && checks.includes(set.check));
  const accepted = { ...current, previous, previousSessions: [], previousAudits: [] };
  // Until the current rotation has encrypted the keys of earlier rotations with the new secret, only the
  // previous secret can decrypt these keys.
  const openKey = (purpose: string, sealed: string | null) =>
    sealed === null ? null : openValue(accepted, purpose, sealed);
  const previousSessions = state.rotations
    .filter((row) => stageOf(row) === "switched" || acceptsOldSessions(row, now))
    .map(({ check, sealedSessionKey }) => openKey(sessionKeyPurpose(check), sealedSessionKey))
    .filter((key) => key !== null);
  const previousAudits = state.rotations.flatMap(({ check, sealedAuditKey, auditUpTo: upTo }) => {
    const key = openKey(auditKeyPurpose(check), sealedAuditKey);
    return key === null ? [] : [{ key: Buffer.from(key, "base64url"), upTo }];
  });
  const unfinished = previous.map(({ audit: key }) => ({ key, upTo: null }));
  return { ...accepted, previousSessions, previousAudits: [...unfinished, ...previousAudits] };
}

const sessionKeyPurpose = (check: string): string => `session_key ${check}`;
const auditKeyPurpose = (check: string): string => `audit_key ${check}`;

/** The encrypted session keys of earlier secrets. Later rotations encrypt these keys again. */
export const sealedSessionKeys: SealedColumn = {
  column: "SecretRotation.sealedSessionKey",
  list: store.sealedKeysIn("sealedSessionKey"),
  purpose: sessionKeyPurpose,
  replace: store.replaceSealedKeyIn("sealedSessionKey"),
};

/**
 * The encrypted keys that verify the audit events from before a rotation. Later rotations encrypt these keys
 * again.
 */
export const sealedAuditKeys: SealedColumn = {
  column: "SecretRotation.sealedAuditKey",
  list: store.sealedKeysIn("sealedAuditKey"),
  purpose: auditKeyPurpose,
  replace: store.replaceSealedKeyIn("sealedAuditKey"),
};

/**
 * Replaces the keys of this process with the keys that the database requires.
 * @param readSets a function that reads the secrets that the process has, including secrets in changed files.
 * @returns the rotation in progress, and whether this process has the new secret of the rotation.
 */
export async function refreshKeys(
  deps: Deps,
  readSets: () => readonly KeySet[],
): Promise<Readonly<{ rotation: OpenRotation | null; hasNewSecret: boolean }>> {
  const state = await readSecretState(deps.db);
  const sets = readSets();
  const keys = selectKeys(state, sets, deps.clock());
  if (keys !== null) replaceKeys(deps.keys, keys);
  const rotation = openRotationIn(state);
  return { rotation, hasNewSecret: rotation === null || sets.some(({ check }) => check === rotation.check) };
}

/**
 * Records that this process does not have the new secret, so that the rotation does not switch to the new
 * secret.
 */
export const refuseRotation = (deps: Deps, { id }: OpenRotation, processName: string): Promise<void> =>
  store.refuse(deps.db, id, processName);

/**
 * Starts a rotation of the instance secret, unless a rotation is in progress. In the first stage of the
 * rotation, all processes accept the new secret, but no process encrypts with the new secret.
 */
export const announceRotation = (deps: Deps, next: KeySet): Promise<void> =>
  deps.transaction(async (within) => {
    await lockInstance(within);
    if (openRotationIn(await readSecretState(within.db)) !== null) return;
    const startedAt = within.clock();
    await store.insert(within.db, { previousCheck: within.keys.check, check: next.check, startedAt });
    await audit.record(within, "secret.rotation_started", {}, {});
  });

/** Cancels a rotation that has not switched to the new secret. */
export const cancelRotation = (deps: Deps, { id }: OpenRotation): Promise<void> => store.cancel(deps.db, id);

/**
 * Switches the encryption to the new secret. The previous keys for session cookies and audit events are
 * encrypted with the new secret and stored. All browser sessions therefore stay open, and the audit trail
 * stays verifiable.
 */
export const switchSecret = (
  deps: Deps,
  { id }: OpenRotation,
  { next, previous }: Readonly<{ next: KeySet; previous: KeySet }>,
): Promise<void> =>
  deps.transaction(async (within) => {
    await lockInstance(within);
    const sealKey = (purpose: string, key: string) => seal(within.randomBytes, next.sealing, purpose, key);
    const switched = await store.setSwitched(within.db, id, {
      switchedAt: within.clock(),
      sealedSessionKey: sealKey(sessionKeyPurpose(next.check), previous.session),
      sealedAuditKey: sealKey(auditKeyPurpose(next.check), previous.audit.toString("base64url")),
    });
    if (!switched) return;
    await replaceSecretCheck(within.db, previous.check, next.check);
    await audit.record(within, "secret.switched", {}, {});
  });

/**
 * Ends a rotation of the instance secret. After the end of the rotation, no process accepts the previous
 * secret, except for session cookies until they expire.
 */
export async function retireSecret(deps: Deps, { id }: OpenRotation): Promise<void> {
  const seconds = (await readSettings(deps)).session_expires_in;
  await deps.transaction(async (within) => {
    const retiredAt = within.clock();
    const sessionsUntil = new Date(retiredAt.getTime() + seconds * 1000);
    const auditUpTo = await audit.lastEventId(within);
    // The keyed digest of the ends of the hash chain still uses the previous secret. The new audit event
    // replaces the digest of the ends by a digest that is keyed with the new secret.
    if (await store.setRetired(within.db, id, { retiredAt, sessionsUntil, auditUpTo }))
      await audit.record(within, "secret.retired", {}, {});
  });
}
