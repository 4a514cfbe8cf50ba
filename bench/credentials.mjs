import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { REDIRECT_URI } from "./browser.mjs";

/** @import { Facts } from "./rows.mjs" */

/**
 * Returns the value of an Authorization header with the scheme Basic. The client id and the client secret
 * contain no character that a client must escape (RFC 6749 §2.3.1).
 * @param {string} clientId
 * @param {string} clientSecret
 */
export const basic = (clientId, clientSecret) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

/** Returns a new private key as a JWK, for client assertions and DPoP proofs with ES256. */
export const newPrivateJwk = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });

/** Returns the public part of a JWK. @param {import("node:crypto").JsonWebKey} jwk */
export const publicPart = ({ kty, crv, x, y }) => ({ kty, crv, x, y });

/** @type {Map<string, import("node:crypto").KeyObject>} The keys of this process, which are imported once. */
const keys = new Map();

/** @param {import("node:crypto").JsonWebKey} jwk */
function keyFrom(jwk) {
  const id = String(jwk["d"]);
  const key = keys.get(id) ?? createPrivateKey({ key: jwk, format: "jwk" });
  keys.set(id, key);
  return key;
}

const encode = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** @type {(facts: Facts, header: object, claims: object) => string} */
function jwt({ privateJwk }, header, claims) {
  const text = `${encode({ alg: "ES256", ...header })}.${encode(claims)}`;
  const signature = sign("sha256", Buffer.from(text), {
    key: keyFrom(privateJwk),
    dsaEncoding: "ieee-p1363",
  });
  return `${text}.${signature.toString("base64url")}`;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** Returns a new client assertion (RFC 7523 §3). @type {(facts: Facts) => Record<string, string>} */
export const assertionOf = (facts) => ({
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: jwt(
    facts,
    {},
    {
      ...{ iss: facts.assertingClientId, sub: facts.assertingClientId, aud: facts.baseUrl },
      ...{ jti: randomUUID(), iat: seconds(), exp: seconds() + 60 },
    },
  ),
});

/**
 * Returns a new DPoP proof (RFC 9449 §4.2).
 * @type {(facts: Facts, request: { method: string, path: string, nonce?: string, accessToken?: string }) => string}
 */
export const dpopHeader = (facts, { method, path, nonce, accessToken }) =>
  jwt(
    facts,
    { typ: "dpop+jwt", jwk: publicPart(facts.privateJwk) },
    {
      ...{ jti: randomUUID(), htm: method, htu: facts.baseUrl + path, iat: seconds(), nonce },
      ath: accessToken && createHash("sha256").update(accessToken).digest("base64url"),
    },
  );

/**
 * Returns a function that requests an access token that is bound to a DPoP key. The returned function
 * resolves to a text: the access token, a space and a current DPoP nonce.
 * @param {Facts} facts
 * @param {string} tokenPath
 * @param {() => Promise<string>} newCode
 */
export function boundTokens(facts, tokenPath, newCode) {
  /** @type {string | undefined} */
  let accessToken;
  /** @param {string} code @param {string} [nonce] */
  const exchange = (code, nonce) =>
    fetch(facts.baseUrl + tokenPath, {
      method: "POST",
      headers: {
        authorization: basic(facts.clientId, facts.clientSecret),
        dpop: dpopHeader(facts, {
          method: "POST",
          path: tokenPath,
          ...(nonce === undefined ? {} : { nonce }),
        }),
      },
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI }),
    });
  return async () => {
    const refused = await exchange("none");
    const nonce = refused.headers.get("dpop-nonce");
    if (nonce === null) throw new StepFailed(`${tokenPath} returned no nonce: ${await refused.text()}`);
    if (accessToken === undefined) {
      const response = await exchange(await newCode(), nonce);
      const { access_token: token, token_type: type } = await response.json();
      if (type !== "DPoP")
        throw new StepFailed(`${tokenPath} returned a token that is not bound to the DPoP key.`);
      accessToken = String(token);
    }
    return [`${accessToken} ${nonce}`];
  };
}
