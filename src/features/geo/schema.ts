import { z } from "zod";
import { FIGURES, type SiteReport } from "./rules";

const whole = z.int().min(0).nullable();

const stored = z.object({
  figures: z.object(
    Object.fromEntries(FIGURES.map((name) => [name, whole])) as Record<
      (typeof FIGURES)[number],
      typeof whole
    >,
  ),
  problem: z.string(),
  version: z.string().nullable(),
  revision: z.string().nullable(),
  storageShardsMatch: z.boolean().nullable(),
});

/** A report as it was stored; null for none, and for one that another version stored in its own way. */
export function readReport(json: string | null): SiteReport | null {
  if (json === null) return null;
  const parsed = stored.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : null;
}

const names = z.array(z.string()).catch([]);
const ids = z.array(z.int()).catch([]);
export const readShards = (json: string): readonly string[] => names.parse(JSON.parse(json));
export const readNamespaceIds = (json: string): readonly number[] => ids.parse(JSON.parse(json));
