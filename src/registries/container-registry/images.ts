import type { Deps } from "@/kernel/deps/deps";
import { readStream } from "@/kernel/http/body";
import { inOutboundSpan } from "@/kernel/tracing/tracing";
import { ownRegistryToken } from "./image-rights";
import { isTagName } from "./rules";
import { imageConfig, manifest, parseJson, tagList } from "./schema";

/**
 * The error for a registry that did not respond, or sent an unexpected response. A later request to the
 * registry may succeed.
 */
export class RegistryUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`The container registry is unavailable: ${reason}`, { cause });
    this.name = "RegistryUnavailable";
  }
}

/**
 * The details of a tagged image. All fields except `digest` are null for a multi-platform image. For other
 * images, a field is null if the metadata of the image does not contain its value.
 */
export type TagDetails = Readonly<{
  digest: string;
  /** The digest of the image configuration, without the prefix `sha256:`. */
  revision: string | null;
  createdAt: Date | null;
  sizeBytes: number | null;
}>;

/** A repository in the registry, and a token that grants full access to the repository. */
export type Images = Readonly<{ deps: Deps; path: string; token: string }>;

/**
 * Returns a repository in the registry, with a token that grants access to the repository.
 * @throws Error if no registry is configured.
 */
export const openImages = async (deps: Deps, path: string): Promise<Images> => ({
  deps,
  path,
  token: await ownRegistryToken(deps, path),
});

const TIMEOUT_MS = 10_000;

/**
 * The maximum size of a response of the registry. Most tag lists, manifests and image configurations are
 * smaller. The maximum size is necessary because users can push manifests and configurations of any size.
 */
const BYTES_MAX = 4 * 1024 * 1024;

type RegistryRequest = Readonly<{
  method?: "GET" | "HEAD" | "PUT" | "DELETE";
  accept?: string;
  body?: string;
  type?: string;
}>;
type RegistryResponse = Readonly<{ status: number; headers: Headers; text: string }>;

/**
 * Sends a request to the HTTP API of the registry (distribution, "HTTP API V2").
 * @throws RegistryUnavailable if the registry does not respond, is too slow, responds with an error or with
 * too much data, or rejects the token.
 */
async function requestRegistry(
  { deps, path, token }: Images,
  route: string,
  options: RegistryRequest = {},
): Promise<RegistryResponse> {
  const { registry } = deps.config;
  if (registry === null) throw new Error("No container registry is configured.");
  const { method = "GET", accept, body, type } = options;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(accept === undefined ? {} : { accept }),
    ...(type === undefined ? {} : { "content-type": type }),
  };
  const url = new URL(`/v2/${path}/${route}`, registry.internalUrl);
  const response = await inOutboundSpan(method, url, async (traceHeaders) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = { ...headers, ...traceHeaders };
    const received = await fetch(url, { method, headers: sent, body: body ?? null, signal });
    const bytes = await readStream(received.body, BYTES_MAX);
    const text = Buffer.from(bytes).toString("utf8");
    return { status: received.status, headers: received.headers, text };
  }).catch((cause: unknown) => {
    throw new RegistryUnavailable("the registry does not respond", cause);
  });
  if (response.status >= 500) throw new RegistryUnavailable(`the registry responds ${response.status}`);
  if (response.status === 401 || response.status === 403)
    throw new RegistryUnavailable(
      'the registry does not trust this instance. Configure the registry with the certificate that "gatehouse registry certificate" prints.',
    );
  return response;
}

/** The page size of the tag list. Registry versions before 3 return the whole list in one page. */
const TAGS_PER_PAGE = 1_000;
const TAGS_MAX = 10_000;

/**
 * Returns up to 10,000 tags of a repository, ordered by name. The list is empty if the registry does not
 * contain the repository.
 */
export async function listTags(images: Images): Promise<readonly string[]> {
  const names: string[] = [];
  let after = "";
  do {
    const query = `?n=${TAGS_PER_PAGE}${after === "" ? "" : `&last=${encodeURIComponent(after)}`}`;
    const { status, headers, text } = await requestRegistry(images, `tags/list${query}`);
    if (status === 404) break;
    const read = tagList.safeParse(parseJson(text));
    if (status !== 200 || !read.success) throw new RegistryUnavailable("the list of tags is malformed");
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

/**
 * Returns whether a media type is the media type of an image or a multi-platform image. Image layers and
 * image configurations have other media types.
 */
export const isManifestType = (mediaType: string): boolean => MANIFESTS.split(", ").includes(mediaType);

/** Returns the digest of a tag's manifest; null if the tag does not exist. */
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
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new RegistryUnavailable("the response of the registry has no digest");
  return digest;
}

/** Returns the details of a tag; null if the tag does not exist. */
export async function readTag(images: Images, tag: string): Promise<TagDetails | null> {
  const { status, headers, text } = await requestRegistry(images, `manifests/${tag}`, { accept: MANIFESTS });
  if (status === 404) return null;
  if (status !== 200)
    throw new RegistryUnavailable(`the registry responds ${status} to a request for a manifest`);
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

/**
 * The error for a registry in which deletion is disabled. The administrator of the registry must set
 * `storage.delete.enabled`.
 */
export class RemovalDisabled extends RegistryUnavailable {
  constructor() {
    super("deletion is disabled. Set storage.delete.enabled in the configuration of the registry.");
  }
}

async function removeManifest(images: Images, reference: string): Promise<RegistryResponse> {
  const response = await requestRegistry(images, `manifests/${reference}`, { method: "DELETE" });
  if (response.status === 405) throw new RemovalDisabled();
  return response;
}

/**
 * Deletes a tag, but not the other tags of the same image.
 * @returns false if the tag does not exist.
 */
export async function removeTag(images: Images, tag: string): Promise<boolean> {
  const { status } = await removeManifest(images, tag);
  if (status === 202 || status === 404) return status === 202;
  // Registry versions before 3 can delete an image only together with all tags of the image. To delete a
  // single tag, the server first assigns the tag to an empty image index, and then deletes this index.
  if ((await digestOf(images, tag)) === null) return false;
  const nonce = Buffer.from(images.deps.randomBytes(16)).toString("hex");
  const empty = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: [], annotations: { removed: nonce } };
  const body = JSON.stringify(empty);
  const put = await requestRegistry(images, `manifests/${tag}`, { method: "PUT", type: OCI_INDEX, body });
  if (put.status !== 201)
    throw new RegistryUnavailable(`the registry responds ${put.status} to the upload of a manifest`);
  const removed = await removeManifest(images, digestIn(put.headers));
  if (removed.status !== 202 && removed.status !== 404)
    throw new RegistryUnavailable(`the registry responds ${removed.status} to a deletion`);
  return true;
}

/** Deletes every image that has one of these tags. All other tags of these images are deleted too. */
export async function removeImagesWithTags(images: Images, tags: readonly string[]): Promise<void> {
  const digests = new Set(await mapConcurrently(tags, (tag) => digestOf(images, tag)));
  await mapConcurrently([...digests], async (digest) => {
    if (digest === null) return;
    const { status } = await removeManifest(images, digest);
    if (status !== 202 && status !== 404)
      throw new RegistryUnavailable(`the registry responds ${status} to a deletion`);
  });
}

/**
 * The maximum number of concurrent requests that this instance sends to the registry. The maximum number of
 * requests is low, because the registry also serves other clients.
 */
const CONCURRENCY = 6;

/**
 * Calls an asynchronous function for each item, with limited concurrency.
 * @returns the results in the order of the items.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const work = async () => {
    for (const [at, item] of waiting) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}
