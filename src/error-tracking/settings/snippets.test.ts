import { expect, it } from "vitest";
import { reportingSnippets } from "./snippets.ts";

const DSN = "http://ghek_00ff@id.example.com:3000/api/v4/error_tracking/collector/12";

it("the sample code contains the DSN for SDKs, and the endpoint URL for curl", () => {
  const [node, browser, terminal] = reportingSnippets(DSN).map(({ code }) => code);
  expect(node).toContain(`dsn: "${DSN}"`);
  expect(browser).toContain(`dsn: "${DSN}"`);
  expect(terminal).toContain(
    `"http://id.example.com:3000/api/v4/error_tracking/collector/api/12/store/?sentry_key=ghek_00ff"`,
  );
});
