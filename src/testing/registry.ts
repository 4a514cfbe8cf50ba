import { createHash, verify, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll } from "vitest";
import type { RegistryConfig } from "@/kernel/config/config.ts";
import { keepConnectionsOpen } from "./keep-alive.ts";

/** The claims of a verified registry token. */
export type RegistryClaims = Readonly<{
  iss: string;
  sub: string;
  aud: string;
  exp: number;
  nbf: number;
  iat: number;
  jti: string;
  access: readonly Readonly<{ type: string; name: string; actions: readonly string[] }>[];
}>;

/**
 * Verifies a registry token with a certificate.
 * @returns the claims of the token.
 * @throws an Error for a token that was signed with another key.
 */
export function claimsOf(token: string, certificate: string): RegistryClaims {
  const [head = "", body = "", signature = ""] = token.split(".");
  const header = JSON.parse(Buffer.from(head, "base64url").toString());
  const own = new X509Certificate(certificate);
  if (header.alg !== "RS256" || header.x5c.length !== 1) throw new Error("Not a registry token.");
  if (!own.raw.equals(Buffer.from(header.x5c[0], "base64")))
    throw new Error("The token names another certificate.");
  if (!verify("sha256", Buffer.from(`${head}.${body}`), own.publicKey, Buffer.from(signature, "base64url")))
    throw new Error("The signature does not match the certificate.");
  return JSON.parse(Buffer.from(body, "base64url").toString());
}

type Stored = Readonly<{ digest: string; body: string; type: string }>;

/**
 * A container registry in memory that behaves like version 2.8 of the Docker registry, which deletes images
 * only by digest.
 */
export type FakeRegistry = Readonly<{
  config: RegistryConfig;
  /**
   * Adds a container image.
   * @param created.at the creation date; null if the image has no creation date.
   * @returns the digest of the image.
   */
  push: (path: string, tag: string, created?: { at?: string | null; seed?: string }) => string;
  tags: (path: string) => readonly string[];
  /** Removes the images of a container repository. */
  clear: (path: string) => void;
  /** Sets the response to all later requests; null restores the normal responses. */
  breakWith: (status: number | "hang up" | null) => void;
  /** The received requests, each as method, path and the subject of its token. */
  requests: readonly string[];
}>;

export const NOTIFICATION_TOKEN = "the token of the registry's notifications";

/** Starts the container registry, which stops after the tests of the file. */
export async function fakeRegistry(): Promise<FakeRegistry> {
  const manifests = new Map<string, Map<string, Stored>>();
  const tags = new Map<string, Map<string, string>>();
  const blobs = new Map<string, string>();
  const requests: string[] = [];
  let broken: number | "hang up" | null = null;
  const of = <Value>(all: Map<string, Map<string, Value>>, path: string) => {
    const values = all.get(path) ?? new Map<string, Value>();
    all.set(path, values);
    return values;
  };
  const keep = (path: string, tag: string, body: string, type: string): string => {
    const digest = digestOf(body);
    of(manifests, path).set(digest, { digest, body, type });
    of(tags, path).set(tag, digest);
    return digest;
  };

  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    requests.push(`${method} ${url} ${subjectOf(request)}`);
    if (broken === "hang up") return request.socket.destroy();
    if (broken !== null) return respond(response, broken, {});
    const [, path = "", kind = "", name = ""] =
      /^\/v2\/(.+?)\/(tags|manifests|blobs)\/([^?]+)/.exec(url) ?? [];
    const images = of(manifests, path);
    const named = of(tags, path);
    if (kind === "tags") {
      if (images.size === 0 && named.size === 0) return respond(response, 404, {});
      return respond(response, 200, { name: path, tags: named.size === 0 ? null : [...named.keys()] });
    }
    if (kind === "blobs") return respond(response, blobs.has(name) ? 200 : 404, blobs.get(name) ?? {});
    if (method === "PUT") {
      const body = await textOf(request);
      const digest = keep(path, name, body, String(request.headers["content-type"]));
      return respond(response, 201, "", { "docker-content-digest": digest });
    }
    if (method === "DELETE" && !name.startsWith("sha256:")) return respond(response, 400, {});
    const manifest = images.get(named.get(name) ?? name);
    if (manifest === undefined) return respond(response, 404, {});
    if (method === "DELETE") {
      images.delete(manifest.digest);
      for (const [tag, digest] of named) if (digest === manifest.digest) named.delete(tag);
      return respond(response, 202, "");
    }
    const headers = { "docker-content-digest": manifest.digest, "content-type": manifest.type };
    return respond(response, 200, method === "HEAD" ? "" : manifest.body, headers);
  }).listen(0, "127.0.0.1");
  keepConnectionsOpen(server);
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    config: {
      url: new URL("https://registry.example.com"),
      internalUrl: new URL(`http://127.0.0.1:${port}`),
      service: "container_registry",
      notificationToken: NOTIFICATION_TOKEN,
    },
    push: (path, tag, { at = "2026-11-01T00:00:00Z", seed = tag } = {}) => {
      const config = JSON.stringify({ ...(at === null ? {} : { created: at }), seed });
      blobs.set(digestOf(config), config);
      const body = JSON.stringify({
        schemaVersion: 2,
        mediaType: DOCKER_MANIFEST,
        config: { digest: digestOf(config), size: config.length },
        layers: [{ size: 1_000 }, { size: 24 }],
      });
      return keep(path, tag, body, DOCKER_MANIFEST);
    },
    tags: (path) => [...of(tags, path).keys()].toSorted(),
    clear: (path) => {
      manifests.delete(path);
      tags.delete(path);
    },
    breakWith: (status) => {
      broken = status;
    },
    requests: requests,
  };
}

export const DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

function subjectOf({ headers }: IncomingMessage): string {
  const [, body = ""] = headers.authorization?.split(".") ?? [];
  const claims = JSON.parse(Buffer.from(body, "base64url").toString() || "{}");
  return claims.sub ?? "nobody";
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function respond(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}
