import { type Instance, type Options, startInstance } from "../instance.ts";

/** Returns the folder of the last release, which `npm run test:upgrade` has prepared. */
function releaseFolder(): string {
  const folder = process.env["UPGRADE_FROM_FOLDER"];
  if (folder === undefined) throw new Error("Run `npm run test:upgrade`.");
  return folder;
}

/** Starts an instance of the last release, with an empty database. */
export async function startRelease(database: NonNullable<Options["database"]>): Promise<Instance> {
  const instance = await startInstance({ database, checkout: releaseFolder() });
  const limits = { limit_oauth_refused: "0", limit_password_per_login: "0" };
  // Because the retry window and the reuse leeways are 0, every reuse of an authorization code or a refresh
  // token revokes the tokens.
  const settings = {
    ...limits,
    ...{ refresh_retry_window: "0", refresh_reuse_leeway: "0", code_reuse_leeway: "0" },
  };
  for (const [name, value] of Object.entries(settings))
    await command(instance, "setting", "set", name, value);
  await command(instance, "feature", "enable", "oauth2_device_grant_flow");
  return instance;
}

/**
 * Runs a command.
 * @returns the output of the command.
 * @throws an Error with the error output if the command fails.
 */
export async function command(instance: Instance, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli(...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}
