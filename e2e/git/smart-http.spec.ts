import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { notRunnableWithout } from "../../scripts/test-skips.mjs";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";
import { type Desk, hasGit, openDesk } from "./git.ts";

test.skip(!hasGit(), notRunnableWithout("git"));
test.describe.configure({ mode: "serial" });

const PASSWORD = "correct horse battery";

let instance: Instance;
let desk: Desk;
/** The access tokens of the test users, by user and scope. */
const tokens = {
  owner: "",
  reader: "",
  pusher: "",
  developer: "",
  guest: "",
  stranger: "",
  profile: "",
  everything: "",
};

async function cli(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli(...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

const createUser = (name: string) =>
  cli("user", "create", "--username", name, "--email", `${name}@example.com`, "--password", PASSWORD);
const token = (user: string, scopes: string) =>
  cli("token", "create", "--user", user, "--scopes", scopes, "--name", "spec");

const url = (user: string, secret: string, path = "team/shop") => {
  const { host } = new URL(instance.baseUrl);
  return `http://${user}:${secret}@${host}/${path}.git`;
};

test.beforeAll(async () => {
  instance = await startInstance();
  desk = openDesk();
  for (const name of ["dev", "guest", "stranger"]) await createUser(name);
  await cli("project", "create", "--path", "team/shop", "--owner", "root");
  await cli("member", "add", "--project", "team/shop", "--user", "dev", "--role", "developer");
  await cli("member", "add", "--project", "team/shop", "--user", "guest", "--role", "guest");
  tokens.owner = await token("root", "write_repository");
  tokens.reader = await token("root", "read_repository");
  tokens.pusher = await token("root", "api");
  tokens.profile = await token("root", "read_user");
  tokens.everything = await token("root", "read_api");
  tokens.developer = await token("dev", "write_repository");
  tokens.guest = await token("guest", "write_repository");
  tokens.stranger = await token("stranger", "write_repository");
  const first = join(desk.folder, "first");
  await desk.ok(["init", "-q", "-b", "trunk", first]);
  writeFileSync(join(first, "README.md"), "# Shop\n");
  await desk.ok(["add", "."], first);
  await desk.ok(["commit", "-q", "-m", "Begin"], first);
  await desk.ok(["remote", "add", "origin", url("x", tokens.owner)], first);
});

test.afterAll(async () => {
  desk?.remove();
  await instance?.stop();
});

const first = () => join(desk.folder, "first");

/** Commits a file in the working copy. */
async function commit(folder: string, name: string, text = name): Promise<void> {
  writeFileSync(join(folder, name), text);
  await desk.ok(["add", "."], folder);
  await desk.ok(["commit", "-q", "-m", `Add ${name}`], folder);
}

const cloned = async (name: string, ...args: string[]) => {
  const folder = join(desk.folder, name);
  await desk.ok(["clone", "-q", ...args, url("x", tokens.owner), folder]);
  return folder;
};

test("an empty project can be cloned, and the first branch that a user pushes becomes the default branch", async () => {
  await desk.ok(["clone", "-q", url("x", tokens.reader), join(desk.folder, "empty")]);
  await desk.ok(["push", "-q", "origin", "trunk"], first());
  const folder = await cloned("second");
  expect(await desk.ok(["branch", "--show-current"], folder)).toBe("trunk");
  expect(readFileSync(join(folder, "README.md"), "utf8")).toBe("# Shop\n");
});

test("Git pushes, fetches and deletes branches and tags", async () => {
  await desk.ok(["checkout", "-q", "-b", "feature/a.b"], first());
  await commit(first(), "a.txt");
  await desk.ok(["tag", "-m", "First", "v1"], first());
  await desk.ok(["push", "-q", "origin", "feature/a.b", "v1"], first());
  const second = join(desk.folder, "second");
  await desk.ok(["fetch", "-q", "--tags"], second);
  expect(await desk.ok(["branch", "-r"], second)).toContain("origin/feature/a.b");
  expect(await desk.ok(["tag"], second)).toBe("v1");
  await desk.ok(["push", "-q", "origin", ":feature/a.b", ":v1"], first());
  expect(await desk.ok(["ls-remote", "origin"], first())).not.toContain("feature/a.b");
  await desk.ok(["checkout", "-q", "trunk"], first());
});

test("shallow and partial clones fetch the missing objects when Git needs them", async () => {
  for (const name of ["b.txt", "c.txt", "d.txt"]) await commit(first(), name);
  await desk.ok(["push", "-q"], first()).catch(() => desk.ok(["push", "-q", "origin", "trunk"], first()));
  const shallow = await cloned("shallow", "--depth", "1");
  expect(await desk.ok(["rev-list", "--count", "HEAD"], shallow)).toBe("1");
  await desk.ok(["fetch", "-q", "--unshallow"], shallow);
  expect(await desk.ok(["rev-list", "--count", "HEAD"], shallow)).toBe("4");
  const partial = await cloned("partial", "--filter=blob:none", "--no-checkout");
  const missing = await desk.ok(["rev-list", "--objects", "--missing=print", "HEAD"], partial);
  expect(missing).toMatch(/^\?/m);
  await desk.ok(["checkout", "-q", "trunk"], partial);
  expect(readFileSync(join(partial, "d.txt"), "utf8")).toBe("d.txt");
});

test("access to a repository depends on the credentials, the scopes of the token and the role of the user", async () => {
  const fetching = async (user: string, secret: string, path?: string) =>
    (await desk.git(["ls-remote", url(user, secret, path)])).err;
  const pushing = async (user: string, secret: string) =>
    (await desk.git(["push", url(user, secret), "trunk:refs/heads/probe"], first())).err;
  const none = `http://${new URL(instance.baseUrl).host}/team/shop.git`;
  expect((await desk.git(["ls-remote", none])).err).toMatch(/could not read Username/);
  expect(await fetching("x", tokens.reader)).toBe("");
  expect(await fetching("anything", tokens.pusher)).toBe("");
  expect(await pushing("x", tokens.reader)).toMatch(/may not push.*\n.*403/);
  expect(await pushing("x", tokens.pusher)).toMatch(/new branch/);
  expect(await fetching("x", tokens.everything)).toBe("");
  expect(await pushing("x", tokens.everything)).toMatch(/may not push.*\n.*403/);
  expect(await fetching("x", tokens.profile)).toMatch(/may not read repositories.*\n.*403/);
  expect(await fetching("x", "ghpt_unknown")).toMatch(/Authentication failed/);
  expect(await fetching("x", tokens.guest)).toMatch(/403/);
  expect(await pushing("x", tokens.guest)).toMatch(/403/);
  expect(await fetching("x", tokens.stranger)).toMatch(/not found/);
  expect(await fetching("x", tokens.owner, "team/nothing")).toMatch(/not found/);
  expect(await fetching("dev", encodeURIComponent(PASSWORD))).toBe("");
  expect(await fetching("dev", "wrong")).toMatch(/Authentication failed/);
  await cli("setting", "set", "password_authentication_enabled_for_git", "false");
  expect(await fetching("dev", encodeURIComponent(PASSWORD))).toMatch(/Authentication failed/);
  await cli("setting", "set", "password_authentication_enabled_for_git", "true");
});

test(conformance("US-06", "an OAuth token is accepted only with the username oauth2"), async () => {
  const response = await fetch(`${instance.baseUrl}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "password",
      username: "dev",
      password: PASSWORD,
      scope: "read_repository",
    }),
  });
  const { access_token: secret } = (await response.json()) as { access_token: string };
  const look = (user: string) => desk.git(["ls-remote", url(user, secret)]);
  expect((await look("oauth2")).code).toBe(0);
  expect((await look("dev")).err).toMatch(/Authentication failed/);
  const push = await desk.git(["push", url("oauth2", secret), "trunk:refs/heads/no"], first());
  expect(push.err).toMatch(/403/);
  await fetch(`${instance.baseUrl}/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({ token: secret }),
  });
  expect((await look("oauth2")).err).toMatch(/Authentication failed/);
});

test(
  conformance(
    "SC-02",
    "a developer can push to all branches except the default branch; no user can rewrite or delete the default branch",
  ),
  async () => {
    const folder = join(desk.folder, "developer");
    await desk.ok(["clone", "-q", url("dev", tokens.developer), folder]);
    await commit(folder, "e.txt");
    const refused = await desk.git(["push", "origin", "trunk"], folder);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("push code to protected branches"),
    });
    await desk.ok(["push", "-q", "origin", "trunk:mine"], folder);
    await desk.ok(["push", "-q", url("x", tokens.owner), "trunk"], folder);
    await desk.ok(["commit", "-q", "--amend", "-m", "Rewritten"], folder);
    for (const target of ["origin", url("x", tokens.owner)]) {
      const forced = await desk.git(["push", "--force", target, "trunk"], folder);
      expect(forced).toMatchObject({ code: 1, err: expect.stringContaining("on this project") });
      const removed = await desk.git(["push", target, ":trunk"], folder);
      expect(removed).toMatchObject({
        code: 1,
        err: expect.stringContaining("deletion of the current branch"),
      });
    }
    await desk.ok(["push", "-q", "--force", "origin", "trunk:mine"], folder);
    await desk.ok(["fetch", "-q", "origin"], folder);
    await desk.ok(["reset", "-q", "--hard", "origin/trunk"], folder);
  },
);

test("one of two simultaneous pushes to a branch is refused", async () => {
  const folders = [await cloned("racer-1"), await cloned("racer-2")];
  for (const [index, folder] of folders.entries()) await commit(folder, `race-${index}.txt`);
  const ended = await Promise.all(folders.map((folder) => desk.git(["push", "origin", "trunk"], folder)));
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(ended.find(({ code }) => code === 1)?.err).toMatch(/rejected|failed to update ref|cannot lock ref/);
  await desk.ok(["fsck", "--strict"], await cloned("after-race"));
});

test("a public project can be fetched without credentials, but a push requires credentials", async () => {
  await cli("project", "create", "--path", "commons/open", "--owner", "root", "--visibility", "public");
  await desk.ok(["push", "-q", url("x", tokens.owner, "commons/open"), "trunk"], first());
  const open = `http://${new URL(instance.baseUrl).host}/commons/open.git`;
  expect(await desk.ok(["ls-remote", open])).toContain("refs/heads/trunk");
  expect((await desk.git(["push", open, "trunk:refs/heads/x"], first())).err).toMatch(
    /could not read Username/,
  );
  expect(
    (await desk.git(["push", url("x", tokens.stranger, "commons/open"), "trunk:refs/heads/x"], first())).err,
  ).toMatch(/not allowed to push/);
});

test("the server stores a large push completely", async () => {
  const folder = await cloned("large");
  writeFileSync(join(folder, "large.bin"), randomBytes(20 * 1024 * 1024));
  await desk.ok(["add", "."], folder);
  await desk.ok(["commit", "-q", "-m", "Large"], folder);
  await desk.ok(["push", "-q", "origin", "trunk"], folder);
  const again = await cloned("large-again", "--depth", "1");
  expect(readFileSync(join(again, "large.bin")).equals(readFileSync(join(folder, "large.bin")))).toBe(true);
});

/** Sends a request without normalizing its path, as an attacker would. */
async function sendRequest(
  path: string,
  options: Readonly<{ method?: string; body?: Buffer; headers?: object }> = {},
) {
  const { hostname, port } = new URL(instance.baseUrl);
  const authorization = `Basic ${Buffer.from(`x:${tokens.owner}`).toString("base64")}`;
  const call = httpRequest({
    hostname,
    port,
    path,
    method: options.method ?? "GET",
    headers: { authorization, ...options.headers },
  });
  call.end(options.body);
  const [response] = await once(call, "response");
  let text = "";
  for await (const chunk of response.setEncoding("latin1")) text += chunk;
  return { status: response.statusCode as number, text };
}

/**
 * Returns file contents whose Git objects are stored in the folder `objects/17`. From the number of files in
 * `objects/17`, Git estimates the number of loose objects.
 */
function untidyTexts(count: number): readonly string[] {
  const texts: string[] = [];
  for (let at = 0; texts.length < count; at += 1) {
    const text = `untidy ${at}`;
    const digest = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
    if (digest.startsWith("17")) texts.push(text);
  }
  return texts;
}

test("a repository with many loose objects is packed after a push, and the push does not wait for the packing", async () => {
  const repository = join(instance.dataDir, "repositories", "1.git");
  const files = untidyTexts(10).map((text, at) => {
    const file = join(desk.folder, `untidy-${at}`);
    writeFileSync(file, text);
    return file;
  });
  await desk.ok(["--git-dir", repository, "hash-object", "-w", ...files]);
  const folder = await cloned("tidied");
  await commit(folder, "tidy.txt");
  await desk.ok(["push", "-q", "origin", "trunk"], folder);
  const packs = () =>
    readdirSync(join(repository, "objects", "pack")).filter((name) => name.endsWith(".pack"));
  const isRunning = () => existsSync(join(repository, "gc.pid"));
  const packed = () => existsSync(join(repository, "packed-refs")) && !isRunning() && packs().length;
  await expect.poll(packed).toBe(1);
  await desk.ok(["--git-dir", repository, "fsck", "--strict"]);
  expect(readFileSync(join(await cloned("tidied-again"), "tidy.txt"), "utf8")).toBe("tidy.txt");
});

test("a URL path cannot access files outside of the repository", async () => {
  for (const path of [
    "/team/shop.git/../../../etc/passwd",
    "/team/%2e%2e/%2e%2e/etc.git/info/refs?service=git-upload-pack",
    "/..%2f..%2fetc.git/info/refs?service=git-upload-pack",
    "/team/shop.git/objects/../config",
    "/team/shop.git/HEAD",
    "/team/shop.git/config",
    "/team/shop.git/info/refs",
    "/team/shop.git/info/refs?service=git-shell",
    "/team/shop.git/info/refs?service=git-upload-pack&service=git-receive-pack",
    "/team/shop%00.git/info/refs?service=git-upload-pack",
    "/1.git/info/refs?service=git-upload-pack",
    "/repositories/1.git/info/refs?service=git-upload-pack",
  ]) {
    const { status, text } = await sendRequest(path);
    expect({ path, status: status >= 400 && status < 500, text }).toMatchObject({ path, status: true });
    expect(text).not.toMatch(/root:|\[core\]|repositoryformatversion/);
  }
  // An encoded slash is accepted only between the parts of the project's path.
  expect((await sendRequest("/team%2fshop.git/info/refs?service=git-upload-pack")).status).toBe(200);
});

test(
  conformance("SC-22", "Git clones a project and pushes to the project by the URL of the project page"),
  async () => {
    const { host } = new URL(instance.baseUrl);
    const folder = join(desk.folder, "by-page");
    const page = `http://x:${tokens.owner}@${host}/team/shop`;
    await desk.ok(["clone", "-q", page, folder]);
    await commit(folder, "by-page.txt");
    await desk.ok(["push", "-q", page, "HEAD:refs/heads/by-page"], folder);
    expect(await desk.ok(["ls-remote", url("x", tokens.owner)])).toContain("refs/heads/by-page");
    const response = await fetch(`${instance.baseUrl}/team/shop/info/refs?service=git-upload-pack`, {
      redirect: "manual",
    });
    expect(response.status).toBe(301);
    const location = new URL(response.headers.get("location") ?? "", instance.baseUrl);
    expect(location.pathname + location.search).toBe("/team/shop.git/info/refs?service=git-upload-pack");
    // Only requests of Git clients are redirected to the URL with `.git`.
    const other = await fetch(`${instance.baseUrl}/team/shop/info/refs?service=other`, {
      redirect: "manual",
    });
    expect(other.headers.get("location") ?? "").not.toContain(".git");
  },
);

test(
  conformance("SC-22", "a browser that opens the URL of a repository is redirected to the project"),
  async ({ page }) => {
    await page.goto(`${instance.baseUrl}/commons/open.git`);
    await expect(page).toHaveURL(/\/projects\/\d+$/);
    await expect(page.getByRole("heading", { name: "open" }).first()).toBeVisible();
  },
);

test(
  conformance(
    "SC-19",
    "after the server has rendered a page, Git with the setting http.version=HTTP/2 clones and pushes",
  ),
  async () => {
    // Next.js adds its own listener for HTTP upgrade requests when it renders the first page.
    expect((await fetch(`${instance.baseUrl}/users/sign_in`)).status).toBe(200);
    const http2 = ["-c", "http.version=HTTP/2"];
    const folder = join(desk.folder, "http2");
    await desk.ok([...http2, "clone", "-q", url("x", tokens.owner), folder]);
    await commit(folder, "http2.txt");
    await desk.ok([...http2, "push", "-q", "origin", "HEAD:refs/heads/http2"], folder);
    expect(await desk.ok([...http2, "ls-remote", url("x", tokens.owner)])).toContain("refs/heads/http2");
  },
);

test(conformance("SC-22", "git push -o opens a merge request and prints its URL"), async () => {
  const folder = await cloned("options");
  await desk.ok(["checkout", "-q", "-b", "with-options"], folder);
  await commit(folder, "options.txt");
  const options = ["-o", "ci.skip", "-o", "merge_request.create", "-o", "merge_request.title=By push"];
  const { code, err } = await desk.git(["push", ...options, "origin", "with-options"], folder);
  expect(code).toBe(0);
  const [, mergeRequestUrl = ""] = /remote:\s+(http\S+\/merge_requests\/\d+)/.exec(err) ?? [];
  expect(mergeRequestUrl).toContain(instance.baseUrl);
  const response = await fetch(
    `${instance.baseUrl}/api/v4/projects/team%2Fshop/merge_requests?search=By+push`,
    {
      headers: { "private-token": tokens.pusher },
    },
  );
  expect(await response.json()).toMatchObject([{ title: "By push", web_url: mergeRequestUrl }]);
});

test("a request that violates the Git protocol is refused and leaves no processes or files", async () => {
  const type = (name: string) => ({ "content-type": `application/x-${name}-request` });
  const bodies = [
    Buffer.from("rubbish"),
    Buffer.from("ffff"),
    Buffer.from("0000"),
    Buffer.alloc(0),
    randomBytes(70_000),
  ];
  for (const service of ["git-upload-pack", "git-receive-pack"])
    for (const body of bodies) {
      const response = await sendRequest(`/team/shop.git/${service}`, {
        method: "POST",
        body,
        headers: type(service),
      });
      expect(response.status).toBeLessThan(600);
    }
  const gzip = { ...type("git-upload-pack"), "content-encoding": "gzip" };
  await sendRequest("/team/shop.git/git-upload-pack", {
    method: "POST",
    body: Buffer.from("no gzip"),
    headers: gzip,
  });
  const name = "refs/heads/../../../outside";
  const zero = "0".repeat(40);
  const head = await desk.ok(["rev-parse", "HEAD"], first());
  const line = `${zero} ${head} ${name}\0report-status`;
  const packet = `${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`;
  const hostile = await sendRequest("/team/shop.git/git-receive-pack", {
    method: "POST",
    body: Buffer.from(packet),
    headers: type("git-receive-pack"),
  });
  expect(hostile.text).not.toMatch(/ok refs/);
  expect(readdirSync(join(instance.dataDir, "repositories")).sort()).toEqual(["1.git", "2.git"]);
  expect(await desk.ok(["ls-remote", url("x", tokens.reader)])).not.toContain("outside");
});

test("the server keeps neither a process nor a lock after a Git client disconnects", async () => {
  const folder = await cloned("killed");
  writeFileSync(join(folder, "killed.bin"), randomBytes(8 * 1024 * 1024));
  await desk.ok(["add", "."], folder);
  await desk.ok(["commit", "-q", "-m", "Killed"], folder);
  const { hostname, port } = new URL(instance.baseUrl);
  const authorization = `Basic ${Buffer.from(`x:${tokens.owner}`).toString("base64")}`;
  for (const service of ["git-receive-pack", "git-upload-pack"]) {
    const call = httpRequest({
      hostname,
      port,
      path: `/team/shop.git/${service}`,
      method: "POST",
      headers: {
        authorization,
        "content-type": `application/x-${service}-request`,
        "transfer-encoding": "chunked",
      },
    });
    call.on("error", () => undefined);
    call.write("00");
    await pause(300);
    call.destroy();
  }
  const repository = join(instance.dataDir, "repositories", "1.git");
  await expect.poll(() => processesIn(repository), { intervals: [200] }).toEqual([]);
  const locks = readdirSync(repository, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".lock"),
  );
  expect(locks).toEqual([]);
  await desk.ok(["push", "-q", "origin", "trunk"], folder);
});

/** Returns the ids of the processes that use a folder. */
const processesIn = (folder: string): readonly string[] =>
  readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, "latin1").includes(folder);
    } catch {
      return false;
    }
  });

/** Sends requests whose body begins and then stalls. */
function held(service: string, count: number, secret: string) {
  const { hostname, port } = new URL(instance.baseUrl);
  return Array.from({ length: count }, () => {
    const call = httpRequest({
      hostname,
      port,
      path: `/team/shop.git/${service}`,
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`x:${secret}`).toString("base64")}`,
        "content-type": `application/x-${service}-request`,
        "transfer-encoding": "chunked",
      },
    });
    call.on("error", () => undefined);
    call.write("00");
    return call;
  });
}

const fetchStatus = async () =>
  (await sendRequest("/team/shop.git/info/refs?service=git-upload-pack")).status;

test("stalled fetches do not block other requests", async () => {
  const slow = held("git-upload-pack", 20, tokens.owner);
  await pause(2_000);
  expect(await fetchStatus()).toBe(200);
  expect((await desk.git(["ls-remote", url("x", tokens.reader)])).code).toBe(0);
  for (const call of slow) call.destroy();
});

test(conformance("SC-42", "stalled pushes do not block other requests"), async () => {
  const slow = held("git-receive-pack", 14, tokens.owner);
  await pause(2_000);
  expect(await fetchStatus()).toBe(200);
  expect((await desk.git(["ls-remote", url("x", tokens.reader)])).code).toBe(0);
  for (const call of slow) call.destroy();
});

test("the log lines of Git requests contain no secrets", () => {
  for (const secret of Object.values(tokens)) expect(instance.log()).not.toContain(secret);
  expect(instance.log()).not.toContain(Buffer.from(`x:${tokens.owner}`).toString("base64"));
});
