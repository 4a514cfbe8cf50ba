/**
 * Returns a JSON response. `Response.json` would create a `Headers` object, which the server would convert
 * back to a list. The conversion of the `Headers` object would take 5 % of the time of a small response.
 * @param body a value that can be serialized as JSON.
 */
export const jsonResponse = (
  body: object | true,
  {
    status = 200,
    headers = {},
  }: Readonly<{ status?: number; headers?: Readonly<Record<string, string>> }> = {},
): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
