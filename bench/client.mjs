import { StepFailed } from "../scripts/prepare-step.mjs";
import { REDIRECT_URI } from "./browser.mjs";
import { basic } from "./rows.mjs";

/**
 * @typedef {{ access_token: string }} Issued
 * @typedef {Issued & { refresh_token: string }} Granted
 */

/**
 * What the application itself asks a server for.
 * @param {import("./rows.mjs").Facts} facts
 * @param {{ token: string, deviceAuthorization: string }} paths
 */
export function newClient({ baseUrl, clientId, clientSecret, publicClientId }, paths) {
  /** @param {Record<string, string>} form */
  const token = async (form) => {
    const headers = { authorization: basic(clientId, clientSecret) };
    return /** @type {Issued} */ (await ask(baseUrl + paths.token, form, headers));
  };
  return {
    token,
    /** @param {string} code */
    exchange: async (code) => {
      const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
      return /** @type {Granted} */ (await token(form));
    },
    deviceCode: async () => {
      const form = { client_id: publicClientId, scope: "read_user" };
      const answer = await ask(baseUrl + paths.deviceAuthorization, form, {});
      return /** @type {{ device_code: string }} */ (answer).device_code;
    },
  };
}

/**
 * @param {string} url
 * @param {Record<string, string>} form
 * @param {Record<string, string>} headers
 * @returns {Promise<unknown>}
 */
async function ask(url, form, headers) {
  const answer = await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) });
  if (answer.status !== 200) throw new StepFailed(`${url} answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/**
 * Makes several of something, a few at a time.
 * @template Made
 * @param {number} count
 * @param {() => Promise<Made>} make
 * @returns {Promise<Made[]>}
 */
export async function several(count, make) {
  /** @type {Made[]} */
  const made = [];
  while (made.length < count)
    made.push(...(await Promise.all(Array.from({ length: Math.min(8, count - made.length) }, make))));
  return made;
}
