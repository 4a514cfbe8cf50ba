import { readSettings as readInstanceSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import type { Query } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { dsnOf, externalUrlOf } from "./rules";
import type { TrackingDraft } from "./schema";
import { listClientKeys, readSettings } from "./service";
import { reportingSnippets, type Snippet } from "./snippets";

export const trackingSettingsPath = (home: string): string => `${home}/settings/error_tracking`;

const KEYS_SHOWN = 20;

/** Returns the error tracking settings of a project with a page of its client keys, for maintainers. */
export async function loadTrackingSettings(id: string, query: Query) {
  const { project } = await requireProject(id, trackingSettingsPath, "maintainer");
  const deps = systemDeps();
  const paging = offsetPagingIn(query, KEYS_SHOWN);
  const [settings, limits, keys] = await Promise.all([
    readSettings(deps, project),
    readInstanceSettings(deps),
    listClientKeys(deps, project, paging),
  ]);
  const draft: TrackingDraft = {
    active: settings?.active ?? false,
    backend: settings?.integrated === false ? "external" : "integrated",
    apiUrl: settings?.remote?.apiUrl ?? "",
    projectName: settings?.remote?.projectName ?? "",
  };
  const shown = keys.rows.map((key) => ({ ...key, dsn: dsnOf(key, deps.config.baseUrl) }));
  const dsn = shown.find(({ active }) => active)?.dsn;
  return {
    id: project.id,
    draft,
    hasToken: settings?.hasToken ?? false,
    isIntegrated: settings?.active === true && settings.integrated,
    storedBytes: settings?.storedBytes ?? 0,
    storedBytesMax: limits.error_bytes_per_project,
    keys: shown,
    snippets: dsn === undefined ? [] : reportingSnippets(dsn),
    pager: offsetLinks(paging, keys, trackingSettingsPath(`${PROJECTS}/${project.id}`)),
    now: deps.clock(),
  };
}

/** The service that stores the tracked errors of a project, for the pages that show tracked errors. */
export type Tracking =
  | Readonly<{ kind: "off" }>
  | Readonly<{ kind: "external"; url: string }>
  | Readonly<{ kind: "integrated" }>;

export async function trackingOf(project: AuthorizedProject): Promise<Tracking> {
  const settings = await readSettings(systemDeps(), project);
  if (settings === null || !settings.active) return { kind: "off" };
  if (settings.integrated || settings.remote === null) return { kind: "integrated" };
  return { kind: "external", url: externalUrlOf(settings.remote) };
}

/**
 * Returns sample code that reports errors to the project; an empty list if the project has no active client
 * key.
 */
export async function snippetsOf(project: AuthorizedProject): Promise<readonly Snippet[]> {
  const deps = systemDeps();
  const { rows } = await listClientKeys(deps, project, { kind: "offset", page: 1, perPage: KEYS_SHOWN });
  const key = rows.find(({ active }) => active);
  return key === undefined ? [] : reportingSnippets(dsnOf(key, deps.config.baseUrl));
}
