/**
 * Returns a JSON response. `Response.json` would create a `Headers` object that the server takes apart again,
 * which costs a twentieth of the time of a small response.
 * @param body a value that can be serialized as JSON.
 */
export const jsonResponse = (body: object | true, options?: JsonResponseOptions): Response =>
  jsonTextResponse(JSON.stringify(body), options);

type JsonResponseOptions = Readonly<{ status?: number; headers?: Readonly<Record<string, string>> }>;

/** Returns a response with a body that is JSON already. */
export const jsonTextResponse = (
  body: string,
  { status = 200, headers = {} }: JsonResponseOptions = {},
): Response => new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
