import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { type Deps, provideDeps } from "@/kernel/deps/deps.ts";
import { answering, type PageFailure, setPageFailure } from "@/kernel/http/page-status.ts";
import { failedChecks } from "@/operations/health/failed-checks.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { respondWithPage } from "@/ui/failure-page.tsx";
import { replaceFailedPages } from "./page-failure.ts";

const { hooks, ...opened } = await openTestDeps();
/** The checks have a time limit that no check reaches on a busy machine. */
const deps: Deps = {
  ...opened,
  hooks: { ...hooks, failedChecks: (checked) => failedChecks(checked, 60_000) },
};
const cause = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3:5432"), { code: "ECONNREFUSED" });
const selectOne = vi.fn(() => Promise.reject(cause));
const missing = { provider: "sqlite", file: join(deps.config.dataDir, "missing", "gatehouse.db") } as const;

/**
 * Makes the database unavailable for the readiness checks. The results of earlier checks are not used again.
 * @param database the database of the configuration.
 */
function withoutDatabase(database: DatabaseConfig = missing): void {
  provideDeps({
    ...deps,
    config: { ...deps.config, database },
    db: { ...deps.db, $queryRaw: selectOne } as unknown as typeof deps.db,
  });
}

/** Returns the response of a server whose page fails, like a page of Next. */
async function failedPage(failure: PageFailure): Promise<Response> {
  const server = createServer((incoming, outgoing) => {
    replaceFailedPages(incoming, outgoing);
    answering(outgoing, () => setPageFailure(failure));
    outgoing.statusCode = 500;
    outgoing.end("blank");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/admin`, { headers: { connection: "close" } });
  server.close();
  return response;
}

const staticPage = () =>
  respondWithPage(new Request("http://localhost:3000/users/sign_in"), () => Promise.reject(cause));

describe("the error page of an unavailable database", () => {
  it.each([
    ["a page of the administration", () => failedPage("unavailable")],
    ["the sign-in page", staticPage],
  ])("without the database, the error page instead of %s names the failed checks", async (_name, request) => {
    withoutDatabase();
    const response = await request();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    const html = await response.text();
    expect(html).toContain("<code>database</code>: the database does not respond");
    expect(html).toContain("<code>migrations</code>: the migrations cannot be checked");
    expect(html).not.toContain("<code>storage</code>");
    for (const secret of [deps.config.dataDir, missing.file, "10.1.2.3", "ECONNREFUSED"])
      expect(html).not.toContain(secret);
  });

  it("while many pages fail, the checks run once", async () => {
    withoutDatabase(deps.config.database);
    await Promise.all(Array.from({ length: 20 }, staticPage));
    expect(selectOne).toHaveBeenCalledTimes(1);
  });

  it("the error page names no checks while all checks succeed", async () => {
    provideDeps({ ...deps });
    const response = await staticPage();
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("<code>database</code>");
  });

  it("the error page of an unexpected error names no checks", async () => {
    withoutDatabase();
    const response = await failedPage("failed");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("readiness");
  });
});
