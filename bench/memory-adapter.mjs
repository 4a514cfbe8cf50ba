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
/** @type {Map<string, Set<string>>} the keys of the entries of each grant. */
const grants = new Map();

/**
 * Returns an adapter that stores the entries of oidc-provider in a `Map`. The default storage of
 * oidc-provider is meant for experiments, because it keeps only the latest one or two thousand entries, and
 * iterates over all tokens of a grant for each new token.
 * @param {string} model the kind of the entries.
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
