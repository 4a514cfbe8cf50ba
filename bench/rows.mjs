/**
 * What is compared. A row names one request of ours and the peer's nearest relative, each with a check that its
 * answer is the right one; `target` is the least ratio of requests per second that this project promises itself.
 *
 * @typedef {{ baseUrl: string, clientId: string, clientSecret: string, accessToken: string }} Side
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} Request
 * @typedef {{ label: string, request: (side: Side) => Request, isRight: (body: Record<string, unknown>) => boolean }} Call
 * @type {readonly { name: string, target: number, ours: Call, peer: Call }[]}
 */
export const ROWS = [
  {
    name: "Bearer-checked read",
    target: 1,
    ours: {
      label: "GET /api/v4/user",
      request: ({ accessToken }) => ({
        method: "GET",
        path: "/api/v4/user",
        headers: { authorization: `Bearer ${accessToken}` },
      }),
      isRight: (body) => body.username === "root" && body.state === "active",
    },
    peer: {
      label: "POST /token/introspection",
      request: ({ clientId, clientSecret, accessToken }) => ({
        method: "POST",
        path: "/token/introspection",
        headers: { authorization: basic(clientId, clientSecret), ...FORM },
        body: String(new URLSearchParams({ token: accessToken })),
      }),
      isRight: (body) => body.active === true,
    },
  },
];

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Neither name nor secret has a character that RFC 6749 §2.3.1 would escape. */
export const basic = (clientId, clientSecret) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
