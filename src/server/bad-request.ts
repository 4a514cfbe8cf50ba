/** Where requests are led whose path two readers could understand in two ways (see `receive`). */
export const badRequest = (): Response =>
  Response.json(
    {
      error: "invalid_request",
      error_description:
        "The path has an empty or dotted segment, a backslash, or an escape that is not valid.",
    },
    { status: 400, headers: { "cache-control": "no-store" } },
  );
