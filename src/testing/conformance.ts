import type { RequirementId } from "../../scripts/conformance-catalog.mjs";

/**
 * Returns the title of a test, or of a group of tests, that verifies rules of `docs/conformance.md`. Vitest,
 * Playwright and the rows of `test.each` can use the title. The title contains the IDs of the rules, so that
 * the report of a test run lists the verified rules.
 * @param idsAndTitle one or more IDs, then the title.
 */
export function conformance(...idsAndTitle: [RequirementId, ...RequirementId[], string]): string {
  return `${idsAndTitle.at(-1)} [${idsAndTitle.slice(0, -1).join(", ")}]`;
}
