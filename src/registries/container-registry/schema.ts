import { z } from "zod";

/** An event of the registry. The schema ignores fields of the event that the server does not use. */
const event = z.object({
  action: z.string(),
  target: z.object({ repository: z.string().default(""), mediaType: z.string().default("") }),
  actor: z.object({ name: z.string().default("") }).default({ name: "" }),
});

export type RegistryEvent = z.infer<typeof event>;

/**
 * The schema of a notification that the registry sends (documentation of distribution, "Work with
 * notifications").
 */
export const envelope = z.object({ events: z.array(event).max(1_000) });

/** The tag list of a repository; `tags` is null if the repository has no tags. */
export const tagList = z.object({ tags: z.array(z.string()).nullish() });

const sizeBytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** The manifest of an image. The index of a multi-platform image contains neither `config` nor `layers`. */
export const manifest = z.object({
  config: z.object({ digest, size: sizeBytes }).optional(),
  layers: z.array(z.object({ size: sizeBytes })).optional(),
});

/** The creation time of an image, limited to the years 1 to 9999, because images are untrusted input. */
const creationTime = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() >= -62_135_596_800_000 && at.getTime() <= 253_402_300_799_999);

/** The fields of an image configuration that the server uses. */
export const imageConfig = z.object({ created: creationTime.nullish().catch(null) });

/** The stored form of a pending bulk deletion of tags. */
export const storedCleanup = z.object({
  remove: z.string(),
  keep: z.string().nullable(),
  keepNewest: z.number(),
  /** The minimum age, in milliseconds, of the tags to delete; null if tags of any age are deleted. */
  olderThanMs: z.number().nullable(),
});

export type Cleanup = z.infer<typeof storedCleanup>;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
