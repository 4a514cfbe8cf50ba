import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openDesk } from "../git/git.ts";
import type { Instance } from "../instance.ts";

const folder = "<b onclick=owned()>";

/** Malicious file names and file contents, and right-to-left text. */
export const HOSTILE = {
  folder,
  path: `${folder}/<img src=x onerror=owned()> \u202Etxt.exe`,
  content: `<script>document.title = "owned"</script>\nif (admin) { \u202E } // مرحبا\n${"long ".repeat(200)}\n`,
  title: "<script>owned()</script> مرحبا",
} as const;

type Files = Readonly<Record<string, string | Uint8Array>>;

const COMMITS: readonly Readonly<{ message: string; files: Files; tag?: string }>[] = [
  {
    message: "Begin",
    files: {
      "README.md": `# Shop\n\nWhere people <b onclick=owned()>buy</b> things, see [the payment](src/pay.js#L2) and [all](src).

![Till](<img/a till.png>) ![Build](https://ci.example/badge.svg)

| Currency | Since |
|---|---|
| ${"Long-name-".repeat(20)} | 2020 |

- [x] Pay
- [ ] Pay back

<script>owned()</script>
`,
      "img/a till.png": Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      ),
      "src/pay.js": "function pay(cart) {\n  charge(cart);\n  charge(cart);\n}\n",
    },
    tag: "v1",
  },
  {
    message: "Pay once\n\nNobody wants to pay twice.",
    files: {
      "src/pay.js": "function pay(cart) {\n  charge(cart);\n}\n",
      "logo.bin": Uint8Array.from([0, 1, 255]),
    },
  },
  { message: HOSTILE.title, files: { [HOSTILE.path]: HOSTILE.content } },
];

/**
 * Pushes a few commits to a project, with a token of the user.
 * @param more the number of additional, empty commits.
 */
export async function pushCode(
  instance: Instance,
  username: string,
  project: string,
  more = 0,
): Promise<void> {
  const token = ["--user", username, "--name", "Push", "--scopes", "write_repository"];
  const { stdout, code, stderr } = await instance.cli("token", "create", ...token);
  if (code !== 0) throw new Error(stderr);
  const desk = openDesk();
  try {
    const home = join(desk.folder, "work");
    await desk.ok(["init", "-q", "-b", "main", home]);
    for (const { message, files, tag } of COMMITS) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), content);
      }
      await desk.ok(["add", "."], home);
      await desk.ok(["commit", "-q", "-m", message], home);
      if (tag !== undefined) await desk.ok(["tag", tag], home);
    }
    for (let at = 1; at <= more; at += 1)
      await desk.ok(["commit", "-q", "--allow-empty", "-m", `Nothing ${at}`], home);
    const { host } = new URL(instance.baseUrl);
    await desk.ok(["push", "-q", `http://x:${stdout.trim()}@${host}/${project}.git`, "main", "--tags"], home);
  } finally {
    desk.remove();
  }
}

/** Pushes a branch with one commit on top of `main`; the commit changes the given files. */
export async function pushBranch(
  instance: Instance,
  username: string,
  project: string,
  { branch, files }: Readonly<{ branch: string; files: Files }>,
): Promise<void> {
  const token = ["--user", username, "--name", "Push", "--scopes", "write_repository"];
  const { stdout, code, stderr } = await instance.cli("token", "create", ...token);
  if (code !== 0) throw new Error(stderr);
  const desk = openDesk();
  try {
    const home = join(desk.folder, "work");
    const url = `http://x:${stdout.trim()}@${new URL(instance.baseUrl).host}/${project}.git`;
    await desk.ok(["clone", "-q", url, home]);
    await desk.ok(["checkout", "-q", "-b", branch], home);
    for (const [path, content] of Object.entries(files)) writeFileSync(join(home, path), content);
    await desk.ok(["add", "."], home);
    await desk.ok(["commit", "-q", "-m", `Add ${branch}`], home);
    await desk.ok(["push", "-q", "origin", branch], home);
  } finally {
    desk.remove();
  }
}
