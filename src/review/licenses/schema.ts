import { z } from "zod";
import type { IntroducedLicenses } from "./rules";

const names = z.array(z.string()).catch([]);

/** A list as it was stored. */
export const readNames = (json: string): readonly string[] => names.parse(JSON.parse(json));

const licenses = z.array(z.object({ license: z.string(), packages: z.array(z.string()), count: z.int() }));
const paths = z.array(z.string());

/** What was found, as it was stored; null where another version stored it in its own way. */
export function readIntroducedLicenses(
  stored: Readonly<{ licenses: string; unreadable: string }>,
): IntroducedLicenses | null {
  const found = licenses.safeParse(JSON.parse(stored.licenses));
  const unreadable = paths.safeParse(JSON.parse(stored.unreadable));
  if (!found.success || !unreadable.success) return null;
  return { licenses: found.data, unreadable: unreadable.data };
}
