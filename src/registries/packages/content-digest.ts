import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chunksOf } from "@/kernel/objects/chunks";
import type { FileStorage } from "@/kernel/objects/file-storage";

/** Computes the SHA-256 digest of a file in the storage. Returns null if the file does not exist. */
export async function digestOf(storage: FileStorage, name: string): Promise<string | null> {
  const content = await storage.open(name, null);
  return content === null ? null : digestOfChunks(chunksOf(content));
}

/** Computes the SHA-256 digest of a file on the local disk. */
export const digestOfFile = (path: string): Promise<string> => digestOfChunks(createReadStream(path));

async function digestOfChunks(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
