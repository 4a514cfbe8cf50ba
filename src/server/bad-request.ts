import { jsonResponse } from "@/kernel/http/json.ts";

/**
 * Returns the response to a request whose path a proxy and a router could interpret differently. The function
 * `intakeRequest` routes requests with such a path to this handler.
 */
export const badRequest = (): Response =>
  jsonResponse(
    {
      error: "invalid_request",
      error_description:
        "The path contains a dot segment, a backslash, a control character, or an invalid escape.",
    },
    { status: 400, headers: { "cache-control": "no-store" } },
  );
