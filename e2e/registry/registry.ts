import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const isHere = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** The required programs that are not installed on this machine. */
export const missingPrograms = (): readonly string[] =>
  ["docker-registry", "skopeo"].filter((program) => !isHere(program));

const READY_WITHIN_MS = 60_000;

/** Debian's container registry in a separate process. The registry stores its images in a folder. */
export type Registry = Readonly<{ host: string; log: () => string; stop: () => Promise<void> }>;

/**
 * Starts a registry that trusts the tokens of an instance, with the same configuration as an operator would
 * use.
 */
export async function startRegistry({
  port,
  folder,
  baseUrl,
  certificate,
  notificationToken,
}: Readonly<{
  port: number;
  folder: string;
  baseUrl: string;
  certificate: string;
  notificationToken: string;
}>): Promise<Registry> {
  const config = {
    version: 0.1,
    log: { level: "warn" },
    storage: {
      filesystem: { rootdirectory: join(folder, "images") },
      delete: { enabled: true },
    },
    http: { addr: `127.0.0.1:${port}`, secret: "of this registry alone" },
    auth: {
      token: {
        realm: `${baseUrl}/jwt/auth`,
        service: "container_registry",
        issuer: baseUrl,
        rootcertbundle: certificate,
      },
    },
    notifications: {
      endpoints: [
        {
          name: "gatehouse",
          url: `${baseUrl}/-/registry/notifications`,
          headers: { Authorization: [`Bearer ${notificationToken}`] },
          timeout: "5s",
          threshold: 3,
          backoff: "1s",
        },
      ],
    },
  };
  const file = join(folder, "registry.yml");
  // JSON is a subset of YAML, so the configuration can be JSON.
  writeFileSync(file, JSON.stringify(config));
  const child = spawn("docker-registry", ["serve", file], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  const gone = once(child, "close");
  const host = `localhost:${port}`;
  const deadline = Date.now() + READY_WITHIN_MS;
  while ((await fetch(`http://127.0.0.1:${port}/v2/`).catch(() => null))?.status !== 401) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`The registry did not start:\n${output}`);
    }
    await pause(50);
  }
  return {
    host,
    log: () => output,
    stop: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

export type Ended = Readonly<{ code: number | null; out: string; err: string }>;

/** A folder with a small image, and skopeo with a separate configuration. */
export type Bench = Readonly<{
  folder: string;
  /** Creates an image whose content depends on its name, as a folder in skopeo's format. */
  image: (name: string, createdAt?: string) => string;
  skopeo: (...args: readonly string[]) => Promise<Ended>;
  remove: () => void;
}>;

export function openBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-registry-"));
  const env = {
    // The types of Next.js require `NODE_ENV` in every object with environment variables. skopeo ignores this
    // variable.
    NODE_ENV: "test" as const,
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    REGISTRY_AUTH_FILE: join(folder, "auth.json"),
  };
  return {
    folder,
    image: (name, createdAt = "2026-01-02T03:04:05Z") => imageIn(join(folder, name), name, createdAt),
    skopeo: async (...args) => {
      const child = spawn("skopeo", ["--insecure-policy", ...args], { env });
      let [out, err] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text) => {
        out += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        err += text;
      });
      const [code] = await once(child, "close");
      return { code: typeof code === "number" ? code : null, out, err };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Writes an image with one empty layer in skopeo's `dir:` format. In the `dir:` format, the name of each file
 * is the digest of its content.
 */
function imageIn(folder: string, name: string, createdAt: string): string {
  mkdirSync(folder);
  const archive = Buffer.alloc(1_024);
  const layer = gzipSync(archive);
  const config = Buffer.from(
    JSON.stringify({
      created: createdAt,
      architecture: "amd64",
      os: "linux",
      config: { Labels: { name } },
      rootfs: { type: "layers", diff_ids: [`sha256:${sha256(archive)}`] },
    }),
  );
  for (const part of [layer, config]) writeFileSync(join(folder, sha256(part)), part);
  const described = (part: Buffer, mediaType: string) => ({
    mediaType,
    size: part.length,
    digest: `sha256:${sha256(part)}`,
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.docker.distribution.manifest.v2+json",
    config: described(config, "application/vnd.docker.container.image.v1+json"),
    layers: [described(layer, "application/vnd.docker.image.rootfs.diff.tar.gzip")],
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "version"), "Directory Transport Version: 1.1\n");
  return `dir:${folder}`;
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
