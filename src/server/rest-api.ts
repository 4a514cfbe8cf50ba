import { gitOverload } from "@/code/api/git-overload";
import { restKit } from "@/http-api/endpoint";
import { versionTable } from "@/http-api/versioned";
import { authenticate } from "@/oauth/api/authenticate";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog";
import { enqueueDeprecatedUse } from "@/operations/deprecated-uses/service";

export const versions = versionTable(DEPRECATIONS);

/** Declares a method of the REST API: the kit with what the areas give to it. */
export const { endpoint } = restKit({
  authenticate,
  versions,
  recordDeprecatedUse: enqueueDeprecatedUse,
  overloadOf: gitOverload,
});
