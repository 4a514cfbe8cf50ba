import type { Instance } from "../instance.ts";

/** A project that collects its errors, as its owner sees it through the API. */
export type Collecting = Readonly<{
  id: number;
  /** What an SDK is configured with. */
  dsn: string;
  publicKey: string;
  /** Its unresolved errors, the latest first. */
  errors: () => Promise<readonly TrackedError[]>;
  /** The events of an error that are kept, the newest first. */
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

/** Makes a project by the command line, and lets it collect by the API. */
export async function collectingProject(instance: Instance, path: string): Promise<Collecting> {
  const made = await instance.cli("project", "create", "--path", path, "--owner", "root", "--json");
  if (made.code !== 0) throw new Error(made.stderr);
  const { id } = JSON.parse(made.stdout) as { id: number };
  const token = await instance.cli("token", "create", "--user", "root", "--scopes", "api", "--name", path);
  const headers = { "private-token": token.stdout.trim() };
  const ask = async (method: string, what: string): Promise<unknown> => {
    const url = `${instance.baseUrl}/api/v4/projects/${id}/error_tracking/${what}`;
    const answer = await fetch(url, { method, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  await ask("PUT", "settings?active=true&integrated=true");
  const [key] = (await ask("GET", "client_keys")) as { public_key: string; errtool_dsn: string }[];
  if (key === undefined) throw new Error("The project has no key.");
  return {
    id,
    dsn: key.errtool_dsn,
    publicKey: key.public_key,
    errors: async () => (await ask("GET", "errors?per_page=100")) as TrackedError[],
    events: async (errorId) =>
      (await ask("GET", `errors/${errorId}/events?per_page=100`)) as Record<string, unknown>[],
  };
}
