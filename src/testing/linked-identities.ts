import type { Deps } from "@/kernel/deps/deps.ts";

/**
 * Returns dependencies that call the function `event` once, directly after the first call of this method of
 * the table of linked accounts.
 */
export function afterFirst(
  deps: Deps,
  method: "findUnique" | "updateMany",
  event: () => Promise<unknown>,
): Deps {
  let isOver = false;
  const linkedIdentity = new Proxy(deps.db.linkedIdentity, {
    get(table, name, receiver) {
      const value: unknown = Reflect.get(table, name, receiver);
      if (name !== method || isOver) return value;
      return async (input: unknown) => {
        isOver = true;
        const result: unknown = await (value as (input: unknown) => Promise<unknown>)(input);
        await event();
        return result;
      };
    },
  });
  const db = new Proxy(deps.db, {
    get: (client, name) => (name === "linkedIdentity" ? linkedIdentity : Reflect.get(client, name)),
  });
  return { ...deps, db };
}
