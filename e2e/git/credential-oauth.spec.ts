import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../fixtures.ts";
import { givePassword } from "../pages/person.ts";
import { openDesk } from "./git.ts";

const isInstalled = spawnSync("git-credential-oauth", ["-h"]).error === undefined;
test.skip(!isInstalled, "git-credential-oauth is not installed on this machine");

/** Stands where a computer's browser does, and writes down what it is asked to open. */
function openBrowser(): Readonly<{ program: string; opened: string }> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-browser-"));
  const [program, opened] = [join(folder, "browser"), join(folder, "opened")];
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > '${opened}.new'\nmv '${opened}.new' '${opened}'\n`);
  chmodSync(program, 0o755);
  return { program, opened };
}

test("Git clones a private project with a token that its credential helper got in the browser", async ({
  instance,
  page,
}) => {
  const cli = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await instance.cli(...args);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const scopes = ["--scopes", "read_repository write_repository"];
  const { client_id: clientId } = await cli(
    ...["application", "create", "--name", "Git", "--redirect-uri", "http://127.0.0.1"],
    ...["--redirect-uri", "http://127.0.0.1/"],
    ...[...scopes, "--owner", "root", "--public", "--json"],
  );
  await cli("project", "create", "--path", "helper/private", "--owner", "root", "--json");

  const browser = openBrowser();
  const desk = openDesk({ BROWSER: browser.program });
  try {
    const { baseUrl } = instance;
    const here = `credential.${baseUrl}`;
    // As the page "Connect a client" says it.
    for (const line of [
      ["--add", "credential.helper", "cache --timeout 7200"],
      ["--add", "credential.helper", "oauth"],
      [`${here}.oauthClientId`, clientId ?? ""],
      [`${here}.oauthScopes`, "read_repository write_repository"],
      [`${here}.oauthAuthURL`, "/oauth/authorize"],
      [`${here}.oauthTokenURL`, "/oauth/token"],
    ])
      await desk.ok(["config", "--global", ...line]);

    const cloning = desk.git(["clone", `${baseUrl}/helper/private.git`, "private"]);
    await Promise.race([
      expect.poll(() => existsSync(browser.opened), { timeout: 20_000 }).toBe(true),
      cloning.then(({ err }) => expect(err).toBe("")),
    ]);
    await page.goto(readFileSync(browser.opened, "utf8"));
    await givePassword(page, "root", instance.rootPassword);
    await expect(page.getByText("Clone and fetch every project")).toBeVisible();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+/);
    const cloned = await cloning;
    expect(cloned).toMatchObject({ code: 0 });

    // From then on Git has the token at hand, and no browser is opened.
    rmSync(browser.opened);
    const folder = join(desk.folder, "private");
    writeFileSync(join(folder, "README.md"), "# Private\n");
    await desk.ok(["add", "."], folder);
    await desk.ok(["commit", "-q", "-m", "Begin"], folder);
    await desk.ok(["push", "-q", "origin", "HEAD"], folder);
    expect(existsSync(browser.opened)).toBe(false);
    const remembered = spawnSync("git", ["credential", "fill"], {
      input: `protocol=http\nhost=${new URL(baseUrl).host}\n\n`,
      env: { ...process.env, HOME: desk.folder, GIT_TERMINAL_PROMPT: "0" },
      encoding: "utf8",
    });
    expect(remembered.stdout).toMatch(/^username=oauth2$/m);
    expect(remembered.stdout).toMatch(/^password=ghat_/m);
  } finally {
    await desk.git(["credential-cache", "exit"]);
    desk.remove();
  }
});
