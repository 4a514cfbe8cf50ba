import { expect, it } from "vitest";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog.ts";
import { RELEASES } from "./versions.ts";

const KINDS = { endpoint: "endpoint", parameter: "parameter", field: "field of the answer" };

it("docs/api-versions.md says what the table of the versions says; `vitest -u` writes it", async () => {
  const rows = Object.entries(DEPRECATIONS).map(
    ([name, { kind, item, instead, since }]) =>
      `| ${item} | ${KINDS[kind]} | ${instead} | ${since} (${RELEASES[since]}) | \`${name}\` |`,
  );
  const document = [
    "# What v5 of the API leaves out",
    "",
    "`/api/v5` is a preview: the same handlers as `/api/v4` without what is deprecated. Each area has a table of its",
    "differences, `src/<area>/api/versions.ts`, and `src/operations/deprecated-uses/catalog.ts` is their sum; answers,",
    "refusals, headers, the OpenAPI documents, the reference page `/help/api` and this page are made from it.",
    "",
    "An answer of v4 that carries one of these, or that was asked for by one, has `Deprecation` (RFC 9745), the day of the",
    'release that first carried the row, and `Link` with `rel="deprecation"` and, for an endpoint,',
    '`rel="successor-version"`. In v5 an endpoint of the table answers 404 with what replaces it, a parameter is unknown or',
    "refused, and a field is absent. There is no `Sunset`: when v4 ends is not known.",
    "",
    "Who still uses what is counted: *Ready for v5* in a person's settings and for administrators, and",
    "`GET /api/v4/deprecated_uses`.",
    "",
    "| what | kind | instead | since | name |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
  await expect(document).toMatchFileSnapshot("../../docs/api-versions.md");
});
