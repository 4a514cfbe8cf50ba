import { StepFailed } from "../scripts/prepare-step.mjs";
import { REDIRECT_URI } from "./browser.mjs";
import { basic } from "./credentials.mjs";

/**
 * @typedef {{ access_token: string }} Issued
 * @typedef {Issued & { refresh_token: string }} Granted
 */

/**
 * Returns a client that sends requests to the token and device endpoints with the credentials of the measured
 * application.
 * @param {import("./rows.mjs").Facts} facts
 * @param {{ token: string, deviceAuthorization: string }} paths
 */
export function newClient({ baseUrl, clientId, clientSecret, publicClientId }, paths) {
  /** @param {Record<string, string>} form */
  const token = async (form) => {
    const headers = { authorization: basic(clientId, clientSecret) };
    return /** @type {Issued} */ (await post(baseUrl + paths.token, form, headers));
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
      const response = await post(baseUrl + paths.deviceAuthorization, form, {});
      return /** @type {{ device_code: string }} */ (response).device_code;
    },
  };
}

/**
 * @param {string} url
 * @param {Record<string, string>} form
 * @param {Record<string, string>} headers
 * @returns {Promise<unknown>}
 */
async function post(url, form, headers) {
  const response = await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) });
  if (response.status !== 200)
    throw new StepFailed(`${url} returned ${response.status} ${await response.text()}`);
  return response.json();
}

/**
 * Calls `make` `count` times, at most eight calls simultaneously, and returns the results.
 * @template Result
 * @param {number} count
 * @param {() => Promise<Result>} make
 * @returns {Promise<Result[]>}
 */
export async function several(count, make) {
  /** @type {Result[]} */
  const results = [];
  while (results.length < count)
    results.push(...(await Promise.all(Array.from({ length: Math.min(8, count - results.length) }, make))));
  return results;
}
