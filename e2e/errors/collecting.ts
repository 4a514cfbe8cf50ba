import type { Instance } from "../instance.ts";

/** A project with error tracking, whose tracked errors the owner reads through the API. */
export type Collecting = Readonly<{
  id: number;
  /** The DSN, which configures an SDK. */
  dsn: string;
  publicKey: string;
  /** Returns the unresolved tracked errors of the project, latest first. */
  errors: () => Promise<readonly TrackedError[]>;
  /** Returns the stored events of a tracked error, newest first. */
  events: (errorId: number) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}>;

export type TrackedError = Readonly<{
  id: number;
  name: string;
  message: string;
  culprit: string;
  count: number;
  user_count: number;
}>;

/** Creates a project with the command line and enables error tracking through the API. */
export async function collectingProject(instance: Instance, path: string): Promise<Collecting> {
  const created = await instance.cli("project", "create", "--path", path, "--owner", "root", "--json");
  if (created.code !== 0) throw new Error(created.stderr);
  const { id } = JSON.parse(created.stdout) as { id: number };
  const token = await instance.cli("token", "create", "--user", "root", "--scopes", "api", "--name", path);
  const headers = { "private-token": token.stdout.trim() };
  const request = async (method: string, path: string): Promise<unknown> => {
    const url = `${instance.baseUrl}/api/v4/projects/${id}/error_tracking/${path}`;
    const response = await fetch(url, { method, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status} ${text}`);
    return JSON.parse(text);
  };
  await request("PUT", "settings?active=true&integrated=true");
  const [key] = (await request("GET", "client_keys")) as { public_key: string; errtool_dsn: string }[];
  if (key === undefined) throw new Error("The project has no key.");
  return {
    id,
    dsn: key.errtool_dsn,
    publicKey: key.public_key,
    errors: async () => (await request("GET", "errors?per_page=100")) as TrackedError[],
    events: async (errorId) =>
      (await request("GET", `errors/${errorId}/events?per_page=100`)) as Record<string, unknown>[],
  };
}
