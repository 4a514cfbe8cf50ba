import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { seal } from "@/kernel/crypto/seal";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type FieldErrors, fieldErrorsOf } from "@/workspace/naming/path";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { lockProject } from "@/workspace/projects/service";
import { activationProblems, apiUrlProblem, type ClientKey, publicKeyFrom, type Settings } from "./rules";
import * as store from "./store";
import { type CollectorKey, findByPublicKey } from "./store.sql";

/** How a project tracks its errors; null: nobody has said yet. */
export const readSettings = (deps: Deps, project: AuthorizedProject): Promise<Settings | null> =>
  store.findSettings(deps.db, project);

export type SettingsOutcome = { readonly settings: Settings } | { readonly problems: FieldErrors };

/** What somebody asks for. Absent parts stay as they are; a new `token` replaces the stored one. */
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
 * Stores how a project tracks its errors, whether or not it did before. Integrated tracking that goes on makes a
 * client key where there is no active one.
 * @returns problems, and nothing stored, for an active external service that is not configured.
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
    const before = (await store.findSettings(within.db, project)) ?? DEFAULT_SETTINGS;
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

/** What `before` becomes. */
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
    token === "" ? undefined : seal(deps.randomBytes, deps.keys.sealing, purpose(project), token);
  return { active, integrated, remote: { apiUrl, projectName }, sealedToken };
}

const purpose = ({ id }: AuthorizedProject): string => `error_tracking:${id}`;

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

/** A part of a project's client keys, by their ids. */
export const listClientKeys = (
  deps: Deps,
  project: AuthorizedProject,
  paging: Paging,
): Promise<Page<ClientKey>> => store.listKeys(deps.db, project, paging);

/** More than any project has programs. */
const KEYS_MAX = 1_000;

/** A new key, with which programs report errors to the project; null when it has too many. */
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

/** Removes a key: what reports with it is refused from then on. Null: the project has no such key. */
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

/** The client key with this public key, whatever its state; null when there is none. One prepared look-up. */
export const findCollectorKey = async (deps: Deps, publicKey: string): Promise<CollectorKey | null> =>
  findByPublicKey(deps.prepared, publicKey);
