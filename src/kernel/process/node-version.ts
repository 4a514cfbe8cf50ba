import type { DatabaseConfig } from "@/kernel/config/config";

/**
 * Returns the state of a version of Node: unsupported, with a known risk, or without a known problem
 * (decision 52).
 */
export function checkNodeVersion(
  version: string,
  provider: DatabaseConfig["provider"],
): Readonly<{ problem?: string; warning?: string }> {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return { problem: `Node v${version} is too old; use 20.19 or newer.` };
  if (major === 24 && minor >= 19 && provider === "sqlite")
    return {
      warning: `On Node v${version}, a better-sqlite3 that was compiled on this machine can crash the process. Use Node 22 or 26.`,
    };
  return {};
}
