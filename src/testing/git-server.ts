import { spawn } from "node:child_process";
import { once } from "node:events";
import * as gitRoute from "@app/git/[...path]/route.ts";
import { parseTrustedProxies } from "@/kernel/config/trusted-proxies.ts";
import { openLog } from "@/kernel/log/log.ts";
import { createGatehouseServer } from "@/server/http-server.ts";
import { temporaryFolder } from "./folder.ts";
import { afterThisFile } from "./release.ts";

/** The result of a Git command: `text` is standard output and standard error. */
export type GitResult = Readonly<{ code: number | null; text: string }>;

/** A Git client with its own home folder, and the URL of a server with the dependencies of the test file. */
export type GitClient = Readonly<{
  origin: string;
  /** Returns the URL of a project for a Git client, including the token. */
  urlOf: (fullPath: string, token: string) => string;
  /** The path of a folder in the home folder. */
  folder: string;
  git: (args: readonly string[], cwd?: string) => Promise<GitResult>;
  /** Runs Git. @throws an Error with the output of Git if the exit status of Git is not 0. */
  ok: (args: readonly string[], cwd?: string) => Promise<string>;
}>;

/** Starts a server with the Git routes. */
export async function openGitClient(): Promise<GitClient> {
  const server = createGatehouseServer({
    routeFiles: [{ segments: ["git", "[...path]"], module: gitRoute }],
    pages: Promise.resolve(async (_incoming, outgoing) => {
      outgoing.statusCode = 404;
      outgoing.end("not a Git request");
    }),
    opened: Promise.resolve(),
    trusted: parseTrustedProxies(""),
    secure: false,
    issuer: "http://localhost:3000",
    log: openLog("silent"),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisFile(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = server.address();
  const host = `127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  const folder = temporaryFolder();
  const git = (args: readonly string[], cwd = folder) => runClient(args, cwd, folder);
  return {
    origin: `http://${host}`,
    urlOf: (fullPath, token) => `http://x:${token}@${host}/${fullPath}.git`,
    folder,
    git,
    ok: async (args, cwd) => {
      const { code, text } = await git(args, cwd);
      if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${text}`);
      return text.trim();
    },
  };
}

async function runClient(args: readonly string[], cwd: string, home: string): Promise<GitResult> {
  const child = spawn("git", args, {
    cwd,
    env: {
      // The types of Next require the environment variable `NODE_ENV`, which Git does not use.
      NODE_ENV: "test",
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "ann@example.com",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "ann@example.com",
    },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text };
}
