import { processWide } from "@/kernel/process/process-wide";

/** An immutable result of Git: the content of an object, or the output of a command about objects. */
export type CachedContent = Readonly<{ kind: string; content: Buffer }>;

type Cache = { readonly entries: Map<string, CachedContent>; bytes: number };

/**
 * The maximum memory of all cached entries. The contents are stored outside the JavaScript heap, so the heap
 * limit of Node.js does not limit the size of the contents.
 */
export const CACHE_BYTES_MAX = 16 * 1024 * 1024;

/** The maximum size of a cached object. A larger object would displace too many other cache entries. */
export const CACHED_BYTES_MAX = 1024 * 1024;

/**
 * The approximate memory overhead of a cache entry in bytes, in addition to the key and the content of the
 * entry.
 */
const ENTRY_BYTES = 500;

/** The cache entries, least recently used first. */
const cache = processWide<Cache>("git-object-cache", () => ({ entries: new Map(), bytes: 0 }));

const sizeOf = (key: string, { content }: CachedContent): number =>
  key.length + content.byteLength + ENTRY_BYTES;

/** Returns the cached content with this cache key, or undefined. */
export function findCached(key: string): CachedContent | undefined {
  const { entries } = cache();
  const entry = entries.get(key);
  if (entry === undefined) return;
  entries.delete(key);
  entries.set(key, entry);
  return entry;
}

/**
 * Caches a copy of an immutable object. If the cache exceeds `CACHE_BYTES_MAX`, the least recently used entries are
 * discarded.
 * @param key the cache key. The cache key contains the repository key, so that repositories do not share entries.
 */
export function keepCached(key: string, { kind, content }: CachedContent): void {
  const now = cache();
  if (content.byteLength > CACHED_BYTES_MAX || now.entries.has(key)) return;
  // `content` may be a slice of a larger buffer, and `Buffer.from` may return a slice of Node's buffer pool.
  // If the cache referred to a slice, the larger buffer would stay in memory.
  const copy = { kind, content: Buffer.allocUnsafeSlow(content.byteLength) };
  content.copy(copy.content);
  now.entries.set(key, copy);
  now.bytes += sizeOf(key, copy);
  for (const [oldest, entry] of now.entries) {
    if (now.bytes <= CACHE_BYTES_MAX) break;
    now.entries.delete(oldest);
    now.bytes -= sizeOf(oldest, entry);
  }
}
