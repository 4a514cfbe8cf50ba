import { jsonResponse } from "@/platform/http/json.ts";
/** The answer to what `receive` lets no router see: a path that two readers could understand in two ways. */
export const badRequest = (): Response =>
  jsonResponse(
    {
      error: "invalid_request",
      error_description:
        "The path has an empty or dotted segment, a backslash, or an escape that is not valid.",
    },
    { status: 400, headers: { "cache-control": "no-store" } },
  );
