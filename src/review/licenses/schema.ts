import { z } from "zod";
import type { IntroducedLicenses } from "./rules";

const names = z.array(z.string()).catch([]);

/** Parses a list of license names that is stored as JSON. */
export const readNames = (json: string): readonly string[] => names.parse(JSON.parse(json));

const licenses = z.array(z.object({ license: z.string(), packages: z.array(z.string()), count: z.int() }));
const paths = z.array(z.string());

/** Parses stored licenses. @returns null if another version of Gatehouse stored them in a different format. */
export function readIntroducedLicenses(
  stored: Readonly<{ licenses: string; unreadable: string }>,
): IntroducedLicenses | null {
  const stated = licenses.safeParse(JSON.parse(stored.licenses));
  const unreadable = paths.safeParse(JSON.parse(stored.unreadable));
  if (!stated.success || !unreadable.success) return null;
  return { licenses: stated.data, unreadable: unreadable.data };
}
