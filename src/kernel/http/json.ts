/**
 * Returns a JSON response. `Response.json` would create a `Headers` object that is taken apart again when it
 * is sent, which is a twentieth of the time of a small response.
 * @param body a value that JSON can represent.
 */
export const jsonResponse = (
  body: object | true,
  {
    status = 200,
    headers = {},
  }: Readonly<{ status?: number; headers?: Readonly<Record<string, string>> }> = {},
): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
