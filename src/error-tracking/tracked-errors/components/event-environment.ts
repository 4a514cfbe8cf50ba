import type { StoredEvent } from "../service";

export type NamedPairs = readonly (readonly [string, string])[];

/** Returns the affected user, the runtime, the server and other properties of an event. */
export function environmentOf({ payload }: StoredEvent): NamedPairs {
  const { user, contexts, sdk, serverName, transaction, logger } = payload;
  const nameAndVersion = (identity: Readonly<{ name: string; version: string }> | null | undefined) =>
    identity ? `${identity.name} ${identity.version}`.trim() : "";
  const pairs = [
    ["User", [user?.username, user?.id].filter(Boolean).join(", ")],
    ["Transaction", transaction],
    ["Runtime", nameAndVersion(contexts.runtime)],
    ["Browser", nameAndVersion(contexts.browser)],
    ["System", nameAndVersion(contexts.os)],
    ["Device", nameAndVersion(contexts.device)],
    ["Server", serverName],
    ["Logger", logger],
    ["Library", nameAndVersion(sdk)],
  ] as const;
  return pairs.filter(([, value]) => value !== "");
}
