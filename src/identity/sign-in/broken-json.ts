/**
 * Returns whether a request declares a JSON body but has a body that is not a JSON object. A request with a
 * broken JSON body must be refused, because `next-auth` parses the body without a check and responds with the
 * status 500.
 */
export async function hasBrokenJson(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type") ?? "";
  if (request.method !== "POST" || request.body === null || !type.includes("application/json")) return false;
  try {
    const body: unknown = await request.clone().json();
    return typeof body !== "object" || body === null || Array.isArray(body);
  } catch {
    return true;
  }
}
