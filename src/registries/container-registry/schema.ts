import { z } from "zod";

/** What the registry tells of something that happened in it; more than this is not read. */
const event = z.object({
  action: z.string(),
  target: z.object({ repository: z.string().default(""), mediaType: z.string().default("") }),
  actor: z.object({ name: z.string().default("") }).default({ name: "" }),
});

export type RegistryEvent = z.infer<typeof event>;

/** The envelope of the registry's notifications (distribution, "Work with notifications"). */
export const envelope = z.object({ events: z.array(event).max(1_000) });

/** The tags of one name; null where there are none. */
export const tagList = z.object({ tags: z.array(z.string()).nullish() });

const sizeBytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** What an image consists of; an index of images for several platforms has neither. */
export const manifest = z.object({
  config: z.object({ digest, size: sizeBytes }).optional(),
  layers: z.array(z.object({ size: sizeBytes })).optional(),
});

/** Between the years 1 and 9999: an image may say anything of itself. */
const creationTime = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() >= -62_135_596_800_000 && at.getTime() <= 253_402_300_799_999);

/** What is read of the configuration of an image. */
export const imageConfig = z.object({ created: creationTime.nullish().catch(null) });

/** A bulk removal as it is kept until it is done. */
export const storedCleanup = z.object({
  remove: z.string(),
  keep: z.string().nullable(),
  keepNewest: z.number(),
  /** Milliseconds; null: of any age. */
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
