const entries = new Map();
/** @type {Map<string, Set<string>>} the keys of what belongs to a grant. */
const grants = new Map();

/**
 * Storage for oidc-provider in a `Map`. The one that comes with it is meant for trying things out: it forgets all but
 * the latest thousand or two of its entries, and walks through all tokens of a grant for each new one.
 * @param {string} model the kind of what is stored.
 */
export function memoryAdapter(model) {
  const keyOf = (id) => `${model}:${id}`;
  return {
    async upsert(id, payload) {
      const key = keyOf(id);
      entries.set(key, payload);
      if (payload.uid !== undefined) entries.set(`uid:${payload.uid}`, payload);
      if (payload.userCode !== undefined) entries.set(`userCode:${payload.userCode}`, payload);
      if (payload.grantId === undefined) return;
      const members = grants.get(payload.grantId) ?? new Set();
      grants.set(payload.grantId, members.add(key));
    },
    find: async (id) => entries.get(keyOf(id)),
    findByUid: async (uid) => entries.get(`uid:${uid}`),
    findByUserCode: async (userCode) => entries.get(`userCode:${userCode}`),
    async consume(id) {
      entries.get(keyOf(id)).consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      for (const key of grants.get(grantId) ?? []) entries.delete(key);
      grants.delete(grantId);
    },
  };
}
