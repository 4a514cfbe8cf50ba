import { expect, it } from "vitest";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog.ts";
import { RELEASES } from "./versions.ts";

const KINDS = { endpoint: "endpoint", parameter: "parameter", field: "field of the response" };

it("docs/api-versions.md matches the table of deprecations (vitest -u updates the document)", async () => {
  const rows = Object.entries(DEPRECATIONS).map(
    ([name, { kind, item, instead, since }]) =>
      `| ${item} | ${KINDS[kind]} | ${instead} | ${since} (${RELEASES[since].date}) | \`${name}\` |`,
  );
  const document = [
    "# Differences between v4 and v5",
    "",
    "`/api/v5` is a preview: the same handlers as `/api/v4`, without the deprecated endpoints, parameters and fields. Each",
    "area has a table of its deprecations, `src/<area>/api/versions.ts`, and `src/operations/deprecated-uses/catalog.ts`",
    "combines them. Responses, errors, headers, the OpenAPI documents, the reference page `/help/api` and this page are",
    "generated from these tables.",
    "",
    "A v4 response has the headers `Deprecation` and `Link` if the response contains a deprecated field, or if the request",
    "used a deprecated parameter or endpoint. `Deprecation` (RFC 9745) contains the date of the deprecation, which is in the",
    'column *since* of the table below. `Link` has `rel="deprecation"` and, for an endpoint, `rel="successor-version"`. In',
    "v5, a deprecated endpoint responds with 404 and the name of its replacement, a deprecated parameter is ignored or",
    "refused, and a deprecated field is absent. The header `Sunset` is not sent, because the end of v4 is not decided.",
    "",
    "Uses of deprecated parts are counted. The counts are shown under *Deprecated API usage* in the settings of a user and in",
    "the administration, and by `GET /api/v4/deprecated_uses`.",
    "",
    "| deprecated | kind | replacement | since | name |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
  await expect(document).toMatchFileSnapshot("../../docs/api-versions.md");
});
