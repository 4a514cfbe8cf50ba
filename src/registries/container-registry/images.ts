import type { Deps } from "@/kernel/deps/deps";
import { readStream } from "@/kernel/http/body";
import { ownRegistryToken } from "./image-rights";
import { isTagName } from "./rules";
import { imageConfig, manifest, parseJson, tagList } from "./schema";

/** The registry did not answer, or not as a registry does: the same may work later. */
export class RegistryUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`The container registry cannot be used: ${reason}`, { cause });
    this.name = "RegistryUnavailable";
  }
}

/** What is known of the image behind a tag. All but `digest` is null for several images in one, and where unsaid. */
export type TagDetails = Readonly<{
  digest: string;
  /** The digest of its configuration, without the name of the algorithm. */
  revision: string | null;
  createdAt: Date | null;
  sizeBytes: number | null;
}>;

/** The images of one name in the registry, with a right to do everything with them. */
export type Images = Readonly<{ deps: Deps; path: string; token: string }>;

/** @throws an Error where there is no registry. */
export const openImages = async (deps: Deps, path: string): Promise<Images> => ({
  deps,
  path,
  token: await ownRegistryToken(deps, path),
});

const TIMEOUT_MS = 10_000;

/** More than a list of the tags, a manifest or a configuration needs; people push them, and may push anything. */
const BYTES_MAX = 4 * 1024 * 1024;

type RegistryRequest = Readonly<{
  method?: "GET" | "HEAD" | "PUT" | "DELETE";
  accept?: string;
  body?: string;
  type?: string;
}>;
type RegistryResponse = Readonly<{ status: number; headers: Headers; text: string }>;

/**
 * Asks the registry's HTTP API (distribution, "HTTP API V2").
 * @throws RegistryUnavailable when it is not there, takes too long, says too much, is broken, or does not trust us.
 */
async function requestRegistry(
  { deps, path, token }: Images,
  route: string,
  options: RegistryRequest = {},
): Promise<RegistryResponse> {
  const { registry } = deps.config;
  if (registry === null) throw new Error("There is no container registry.");
  const { method = "GET", accept, body, type } = options;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(accept === undefined ? {} : { accept }),
    ...(type === undefined ? {} : { "content-type": type }),
  };
  const url = new URL(`/v2/${path}/${route}`, registry.internalUrl);
  const response = await fetch(url, {
    method,
    headers,
    body: body ?? null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
    .then(async (response) => {
      const bytes = await readStream(response.body, BYTES_MAX);
      return {
        status: response.status,
        headers: response.headers,
        text: Buffer.from(bytes).toString("utf8"),
      };
    })
    .catch((cause: unknown) => {
      throw new RegistryUnavailable("it does not answer", cause);
    });
  if (response.status >= 500) throw new RegistryUnavailable(`it answers ${response.status}`);
  if (response.status === 401 || response.status === 403)
    throw new RegistryUnavailable("it does not trust this instance; see gatehouse registry certificate");
  return response;
}

/** A page of the list of tags; registries before version 3 send the whole list at once. */
const TAGS_AT_ONCE = 1_000;
const TAGS_MAX = 10_000;

/** The tags, by their names; at most ten thousand. Empty also where the registry does not know the name. */
export async function listTags(images: Images): Promise<readonly string[]> {
  const names: string[] = [];
  let after = "";
  do {
    const query = `?n=${TAGS_AT_ONCE}${after === "" ? "" : `&last=${encodeURIComponent(after)}`}`;
    const { status, headers, text } = await requestRegistry(images, `tags/list${query}`);
    if (status === 404) break;
    const read = tagList.safeParse(parseJson(text));
    if (status !== 200 || !read.success) throw new RegistryUnavailable("it lists no tags");
    names.push(...(read.data.tags ?? []).filter(isTagName));
    after = headers.has("link") ? (names.at(-1) ?? "") : "";
  } while (after !== "" && names.length < TAGS_MAX);
  return [...new Set(names)].toSorted().slice(0, TAGS_MAX);
}

const OCI_INDEX = "application/vnd.oci.image.index.v1+json";
const MANIFESTS = [
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  OCI_INDEX,
].join(", ");

/** Whether something that the registry tells of is an image, or several in one; and not a part of one. */
export const isManifestType = (mediaType: string): boolean => MANIFESTS.split(", ").includes(mediaType);

/** The digest of what a tag stands for; null where there is no such tag. */
async function digestOf(images: Images, tag: string): Promise<string | null> {
  const { status, headers } = await requestRegistry(images, `manifests/${tag}`, {
    method: "HEAD",
    accept: MANIFESTS,
  });
  if (status === 404) return null;
  return digestIn(headers);
}

function digestIn(headers: Headers): string {
  const digest = headers.get("docker-content-digest") ?? "";
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new RegistryUnavailable("it names no digest");
  return digest;
}

/** What is behind a tag; null where there is no such tag. */
export async function readTag(images: Images, tag: string): Promise<TagDetails | null> {
  const { status, headers, text } = await requestRegistry(images, `manifests/${tag}`, { accept: MANIFESTS });
  if (status === 404) return null;
  if (status !== 200) throw new RegistryUnavailable(`it answers ${status} for a manifest`);
  const digest = digestIn(headers);
  const { config, layers } = manifest.catch({}).parse(parseJson(text));
  if (config === undefined) return { digest, revision: null, createdAt: null, sizeBytes: null };
  return {
    digest,
    revision: config.digest.slice("sha256:".length),
    createdAt: config.size > BYTES_MAX ? null : await createdAtOf(images, config.digest),
    sizeBytes: (layers ?? []).reduce((sum, { size }) => sum + size, 0),
  };
}

async function createdAtOf(images: Images, configDigest: string): Promise<Date | null> {
  const { status, text } = await requestRegistry(images, `blobs/${configDigest}`);
  const read = imageConfig.safeParse(parseJson(text));
  return status === 200 && read.success ? (read.data.created ?? null) : null;
}

/** The registry does not remove anything: its operator has to allow it (`storage.delete.enabled`). */
export class RemovalDisabled extends RegistryUnavailable {
  constructor() {
    super("it does not remove anything; set storage.delete.enabled in its configuration");
  }
}

async function removeManifest(images: Images, reference: string): Promise<RegistryResponse> {
  const response = await requestRegistry(images, `manifests/${reference}`, { method: "DELETE" });
  if (response.status === 405) throw new RemovalDisabled();
  return response;
}

/**
 * Removes one tag, and not the others of the same image.
 * @returns false where there is none.
 */
export async function removeTag(images: Images, tag: string): Promise<boolean> {
  const { status } = await removeManifest(images, tag);
  if (status === 202 || status === 404) return status === 202;
  // Registries before version 3 remove an image alone, with all its tags: so the tag is put on something of its own
  // first, an index of no images.
  if ((await digestOf(images, tag)) === null) return false;
  const nonce = Buffer.from(images.deps.randomBytes(16)).toString("hex");
  const empty = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [], annotations: { removed: nonce } };
  const body = JSON.stringify(empty);
  const put = await requestRegistry(images, `manifests/${tag}`, { method: "PUT", type: OCI_INDEX, body });
  if (put.status !== 201) throw new RegistryUnavailable(`it answers ${put.status} to a manifest`);
  const removed = await removeManifest(images, digestIn(put.headers));
  if (removed.status !== 202 && removed.status !== 404)
    throw new RegistryUnavailable(`it answers ${removed.status} to a removal`);
  return true;
}

/** Removes every image that has one of these tags, with all its tags. */
export async function removeImagesWithTags(images: Images, tags: readonly string[]): Promise<void> {
  const digests = new Set(await mapConcurrently(tags, (tag) => digestOf(images, tag)));
  await mapConcurrently([...digests], async (digest) => {
    if (digest === null) return;
    const { status } = await removeManifest(images, digest);
    if (status !== 202 && status !== 404) throw new RegistryUnavailable(`it answers ${status} to a removal`);
  });
}

/** So many requests of one kind at once: the registry serves others, too. */
const AT_ONCE = 6;

/** Runs one after the other for each of them, a few at once; the results are in their order. */
export async function mapConcurrently<One, Result>(
  all: readonly One[],
  run: (one: One) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(all.length);
  const waiting = all.entries();
  const work = async () => {
    for (const [at, one] of waiting) results[at] = await run(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
