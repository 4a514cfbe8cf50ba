import type { z } from "zod";
import { flag } from "./fields";

/** The versions of the API that this server speaks, by the beginning of the path. */
export type ApiVersion = "v4" | "v5";

/** The version that a request asks for: a rewrite serves v5 from the same route files, and keeps the address. */
export const versionOf = ({ url }: Request): ApiVersion =>
  new URL(url).pathname.startsWith("/api/v5/") ? "v5" : "v4";

/** Parameters of which v5 takes less than v4, with what is left. */
const NARROWER_IN_V5: Readonly<Record<string, z.ZodType>> = {
  // v4 takes null for the default of the instance.
  private_profile: flag.optional(),
};

/** What an endpoint accepts in a version; it is declared as v4 has it. */
export function fieldsIn<Fields extends z.ZodObject>(version: ApiVersion, fields: Fields): Fields {
  const narrower = Object.entries(NARROWER_IN_V5).filter(([name]) => name in fields.shape);
  return version === "v4" || narrower.length === 0
    ? fields
    : (fields.safeExtend(Object.fromEntries(narrower)) as unknown as Fields);
}
