import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4_096;

/**
 * Returns a source of random bytes. The source requests a large number of bytes from the system at a time,
 * because each request takes 2 µs. Each byte is returned once, and is then erased from the pool.
 */
export function pooledRandomBytes(): (size: number) => Uint8Array {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (size) => {
    if (size > POOL_BYTES) return randomFillSync(new Uint8Array(size));
    if (used + size > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + size);
    pool.fill(0, used, used + size);
    used += size;
    return bytes;
  };
}
