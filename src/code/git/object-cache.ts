import { processWide } from "@/kernel/process/process-wide";

/** An immutable result of Git: the content of an object, or the output of a command about objects. */
export type CachedContent = Readonly<{ kind: string; content: Buffer }>;

type Cache = { readonly entries: Map<string, CachedContent>; bytes: number };

/** The contents are outside the JavaScript heap, whose size operators limit. */
export const CACHE_BYTES_MAX = 16 * 1024 * 1024;

/** A larger content would displace too many others. */
export const CACHED_BYTES_MAX = 1024 * 1024;

/** The approximate memory of an entry without its key and content. */
const ENTRY_BYTES = 500;

/** The entries in the order of their last use. */
const cache = processWide<Cache>("git-object-cache", () => ({ entries: new Map(), bytes: 0 }));

const sizeOf = (key: string, { content }: CachedContent): number =>
  key.length + content.byteLength + ENTRY_BYTES;

/** Returns the content with this key, or undefined. */
export function findCached(key: string): CachedContent | undefined {
  const { entries } = cache();
  const entry = entries.get(key);
  if (entry === undefined) return;
  entries.delete(key);
  entries.set(key, entry);
  return entry;
}

/**
 * Stores a copy of a content that never changes. The least recently used contents above `CACHE_BYTES_MAX` are discarded.
 * @param key contains the key of the repository, so that no other repository uses the entry.
 */
export function keepCached(key: string, { kind, content }: CachedContent): void {
  const now = cache();
  if (content.byteLength > CACHED_BYTES_MAX || now.entries.has(key)) return;
  // A slice, or a small buffer of Node's pool, would keep a larger buffer in memory.
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
