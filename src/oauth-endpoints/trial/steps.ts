import type { Application } from "@/oauth/applications/rules";
import type { Trial } from "@/oauth/authorizations/trial";
import { JWT_BEARER } from "../client-assertion";

/** The response of an endpoint. */
export type TrialResponse = Readonly<{ status: number; body: object }>;

/**
 * One step of a trial authorization: an explanation, the request that a real client sends, and the response.
 */
export type Step = Readonly<{
  title: string;
  about: string;
  /** The request, which a developer can copy; null for a step in which the client sends no request. */
  request: string | null;
  response: string | null;
}>;

type Facts = Readonly<{
  issuer: string;
  redirectUri: string;
  application: Application;
  trial: Trial;
  /** The parameters of the authorization response. */
  authorization: Readonly<Record<string, string>>;
  token: TrialResponse | null;
  userinfo: TrialResponse | null;
  user: TrialResponse | null;
}>;

/**
 * Describes the steps of a trial authorization, in their order. The tokens in the steps are already revoked.
 */
export function stepsOf(facts: Facts): readonly Step[] {
  const { issuer, authorization, token } = facts;
  const denied = !("code" in authorization);
  return [
    {
      title: "Authorization response",
      about: denied
        ? "The server returned an error to the redirect URI instead of an authorization code."
        : "You allowed the application. The server redirected the browser to the redirect URI with an authorization code, which is valid once and for a short time.",
      request: `${facts.redirectUri}?${new URLSearchParams(authorization)}`,
      response: null,
    },
    ...(token === null ? [] : [tokenStep(facts, token)]),
    ...(token === null ? [] : idTokenSteps(token)),
    ...called(
      "Userinfo",
      "The claims about the user that the scopes grant.",
      `${issuer}/oauth/userinfo`,
      facts.userinfo,
    ),
    ...called("GET /user", "The user as the REST API returns it.", `${issuer}/api/v4/user`, facts.user),
    ...(facts.user === null ? [] : [revocationStep(facts)]),
  ];
}

function tokenStep(
  { issuer, redirectUri, application, trial, authorization }: Facts,
  token: TrialResponse,
): Step {
  return {
    title: "Token response",
    about:
      "The application exchanges the authorization code for tokens. In this trial authorization, this server exchanged the authorization code itself, without the client secret. These tokens are revoked and no longer work.",
    request: post(`${issuer}/oauth/token`, [
      ["grant_type", "authorization_code"],
      ["client_id", application.uid],
      ...credentialsOf(application),
      ["redirect_uri", redirectUri],
      ["code", authorization["code"] ?? ""],
      ["code_verifier", trial.codeVerifier],
    ]),
    response: written(token),
  };
}

function idTokenSteps({ body }: TrialResponse): readonly Step[] {
  const idToken = "id_token" in body ? String(body.id_token) : null;
  if (idToken === null) return [];
  const [header = "", claims = ""] = idToken.split(".");
  const decoded = [header, claims].map((part) =>
    JSON.stringify(JSON.parse(Buffer.from(part, "base64url").toString()), null, 2),
  );
  const about =
    "The header and the claims of the ID token. A client verifies the signature (with the public keys of this server), the issuer, the audience, the expiry and the nonce.";
  return [{ title: "ID token, decoded", about, request: null, response: decoded.join("\n") }];
}

const called = (
  title: string,
  about: string,
  url: string,
  response: TrialResponse | null,
): readonly Step[] =>
  response === null
    ? []
    : [
        {
          title,
          about,
          request: `curl '${url}' \\\n  --header "Authorization: Bearer $ACCESS_TOKEN"`,
          response: written(response),
        },
      ];

const revocationStep = ({ issuer, application }: Facts): Step => ({
  title: "Revocation",
  about:
    "This server has revoked the tokens of the trial authorization. An application revokes a token with this request.",
  request: post(`${issuer}/oauth/revoke`, [
    ["client_id", application.uid],
    ...credentialsOf(application),
    ["token", "$ACCESS_TOKEN"],
  ]),
  response: "HTTP 200\n{}",
});

function credentialsOf({ confidential, authMethod }: Application): readonly [string, string][] {
  if (!confidential) return [];
  if (authMethod === null) return [["client_secret", "$CLIENT_SECRET"]];
  return [
    ["client_assertion_type", JWT_BEARER],
    ["client_assertion", "$CLIENT_ASSERTION"],
  ];
}

/** Returns a curl command that posts a form. Values that begin with `$` are shell variables. */
const post = (url: string, fields: readonly (readonly [string, string])[]): string =>
  [
    `curl '${url}'`,
    ...fields.map(([name, value]) => {
      const quoted = value.startsWith("$") ? `"${value}"` : `'${value.replaceAll("'", `'\\''`)}'`;
      return `  --data-urlencode ${name}=${quoted}`;
    }),
  ].join(" \\\n");

const written = ({ status, body }: TrialResponse): string =>
  `HTTP ${status}\n${JSON.stringify(body, null, 2)}`;
