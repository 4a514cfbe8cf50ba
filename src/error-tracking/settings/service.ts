import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { SealedColumn } from "@/instance/secret-rotation/sealed-column";
import { seal } from "@/kernel/crypto/seal";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type FieldErrors, fieldErrorsOf } from "@/workspace/naming/path";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { lockProject } from "@/workspace/projects/service";
import { activationProblems, apiUrlProblem, type ClientKey, publicKeyFrom, type Settings } from "./rules";
import * as store from "./store";
import { type CollectorKey, findByPublicKey } from "./store.sql";

/** Returns the error tracking settings of a project; null if the project has no stored settings. */
export const readSettings = (deps: Deps, project: AuthorizedProject): Promise<Settings | null> =>
  store.findSettings(deps.reads, project);

export type SettingsOutcome = { readonly settings: Settings } | { readonly problems: FieldErrors };

/**
 * A change of the error tracking settings. If a field is absent, its stored value does not change. The field
 * `token` replaces the stored token.
 */
export type SettingsChange = Readonly<{
  active: boolean;
  integrated?: boolean | undefined;
  remote?: Readonly<{ apiUrl: string; projectName: string | null; token: string }> | undefined;
}>;

const DEFAULT_SETTINGS: Settings = {
  active: false,
  integrated: true,
  remote: null,
  hasToken: false,
  storedBytes: 0,
};

/**
 * Stores the error tracking settings of a project. Turning on error tracking on this instance creates a
 * client key if the project has no active client key.
 * @returns the field errors if an external service is activated but not configured. In this case, the
 * settings are not stored.
 */
export async function changeSettings(
  deps: Deps,
  project: AuthorizedProject,
  change: SettingsChange,
  by: User,
): Promise<SettingsOutcome> {
  const problems = change.remote === undefined ? null : remoteProblems(change.remote);
  if (problems !== null) return { problems };
  return deps.transaction(async (within): Promise<SettingsOutcome> => {
    await lockProject(within, project.id);
    const before = (await store.findSettings(within.reads, project)) ?? DEFAULT_SETTINGS;
    const after = changed(before, change);
    const missing = activationProblems(after);
    if (missing !== null) return { problems: missing };
    await store.saveSettings(within.db, project, stored(within, project, change, after), within.clock());
    const { active, integrated } = after;
    const details = { id: project.id, path: project.fullPath, active, integrated };
    await audit.record(within, "error_tracking.changed", details, { userId: by.id });
    const keyless = active && integrated && (await store.countActiveKeys(within.db, project)) === 0;
    if (keyless) await insertKey(within, project, by);
    return { settings: after };
  });
}

const changed = (before: Settings, { active, integrated, remote }: SettingsChange): Settings => ({
  active,
  integrated: integrated ?? before.integrated,
  remote: remote === undefined ? before.remote : { apiUrl: remote.apiUrl, projectName: remote.projectName },
  hasToken: before.hasToken || (remote !== undefined && remote.token !== ""),
  storedBytes: before.storedBytes,
});

function stored(
  deps: Deps,
  project: AuthorizedProject,
  { remote }: SettingsChange,
  { active, integrated }: Settings,
): store.StoredChange {
  if (remote === undefined) return { active, integrated };
  const { apiUrl, projectName, token } = remote;
  const sealedToken =
    token === ""
      ? undefined
      : seal(deps.randomBytes, deps.keys.sealing, purposeOf(String(project.id)), token);
  return { active, integrated, remote: { apiUrl, projectName }, sealedToken };
}

const purposeOf = (projectId: string): string => `error_tracking:${projectId}`;

const TEXT_CHARACTERS_MAX = 255;

function remoteProblems({
  apiUrl,
  projectName,
  token,
}: NonNullable<SettingsChange["remote"]>): FieldErrors | null {
  const tooLong = `is too long (maximum is ${TEXT_CHARACTERS_MAX} characters)`;
  const problems = {
    api_url: apiUrlProblem(apiUrl),
    project_name: (projectName ?? "").length > TEXT_CHARACTERS_MAX ? tooLong : null,
    token: token.length > TEXT_CHARACTERS_MAX ? tooLong : null,
  };
  return fieldErrorsOf(problems);
}

/** Returns a page of the client keys of a project, ordered by id. */
export const listClientKeys = (
  deps: Deps,
  project: AuthorizedProject,
  paging: Paging,
): Promise<Page<ClientKey>> => store.listKeys(deps.db, project, paging);

/** The maximum number of client keys of a project. Real projects need far fewer client keys. */
const KEYS_MAX = 1_000;

/** Creates a client key. The result is null if the project has too many client keys. */
export const createClientKey = (
  deps: Deps,
  project: AuthorizedProject,
  by: User,
): Promise<ClientKey | null> =>
  deps.transaction(async (within) => {
    await lockProject(within, project.id);
    if ((await store.countKeys(within.db, project)) >= KEYS_MAX) return null;
    return insertKey(within, project, by);
  });

async function insertKey(deps: Deps, project: AuthorizedProject, by: User): Promise<ClientKey> {
  const publicKey = publicKeyFrom(deps.randomBytes(16));
  const key = await store.insertKey(deps.db, project, { publicKey, createdAt: deps.clock() });
  const details = { id: project.id, path: project.fullPath, keyId: key.id };
  await audit.record(deps, "client_key.created", details, { userId: by.id });
  return key;
}

/**
 * Deletes a client key, so that events with this key are rejected. The result is null if the project has no
 * such client key.
 */
export const removeClientKey = (
  deps: Deps,
  project: AuthorizedProject,
  keyId: number,
  by: User,
): Promise<ClientKey | null> =>
  deps.transaction(async (within) => {
    const key = await store.findKey(within.db, project, keyId);
    if (key === null || !(await store.removeKey(within.db, key))) return null;
    const details = { id: project.id, path: project.fullPath, keyId };
    await audit.record(within, "client_key.removed", details, { userId: by.id });
    return key;
  });

export type { CollectorKey } from "./store.sql";

/**
 * Returns the client key with this public key, active or not; null for an unknown key. The function runs one
 * prepared statement.
 */
export const findCollectorKey = async (deps: Deps, publicKey: string): Promise<CollectorKey | null> =>
  findByPublicKey(deps.prepared, publicKey);

/**
 * The column with the encrypted tokens of external error tracking services, for a rotation of the instance
 * secret.
 */
export const sealedErrorTrackingTokens: SealedColumn = {
  column: "ErrorTrackingSetting.sealedToken",
  list: store.listSealed,
  purpose: purposeOf,
  replace: store.replaceSealed,
};
