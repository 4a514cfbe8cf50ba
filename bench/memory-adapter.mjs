/**
 * @typedef {Record<string, unknown> & {
 *   uid?: string,
 *   userCode?: string,
 *   grantId?: string,
 *   consumed?: number,
 * }} Payload
 */

/** @type {Map<string, Payload>} */
const entries = new Map();
/** @type {Map<string, Set<string>>} the keys of what belongs to a grant. */
const grants = new Map();

/**
 * Storage for oidc-provider in a `Map`. The one that comes with it is meant for trying things out: it forgets all but
 * the latest thousand or two of its entries, and walks through all tokens of a grant for each new one.
 * @param {string} model the kind of what is stored.
 */
export function memoryAdapter(model) {
  const keyOf = (/** @type {string} */ id) => `${model}:${id}`;
  return {
    /**
     * @param {string} id
     * @param {Payload} payload
     */
    async upsert(id, payload) {
      const key = keyOf(id);
      entries.set(key, payload);
      if (payload.uid !== undefined) entries.set(`uid:${payload.uid}`, payload);
      if (payload.userCode !== undefined) entries.set(`userCode:${payload.userCode}`, payload);
      if (payload.grantId === undefined) return;
      const members = grants.get(payload.grantId) ?? new Set();
      grants.set(payload.grantId, members.add(key));
    },
    find: async (/** @type {string} */ id) => entries.get(keyOf(id)),
    findByUid: async (/** @type {string} */ uid) => entries.get(`uid:${uid}`),
    findByUserCode: async (/** @type {string} */ userCode) => entries.get(`userCode:${userCode}`),
    /** @param {string} id */
    async consume(id) {
      const payload = entries.get(keyOf(id));
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    /** @param {string} id */
    async destroy(id) {
      entries.delete(keyOf(id));
    },
    /** @param {string} grantId */
    async revokeByGrantId(grantId) {
      for (const key of grants.get(grantId) ?? []) entries.delete(key);
      grants.delete(grantId);
    },
  };
}
