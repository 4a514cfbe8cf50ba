import { versionTable } from "@/http-api/versioned";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog";

/** The differences between the versions of the REST API. */
export const versions = versionTable(DEPRECATIONS);
