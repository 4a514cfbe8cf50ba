import { gitOverload } from "@/code/git/git-overload";
import { restKit } from "@/http-api/endpoint";
import { versionTable } from "@/http-api/versioned";
import { authenticate } from "@/oauth/api/authenticate";
import { DEPRECATIONS } from "@/operations/deprecated-uses/catalog";
import { enqueueDeprecatedUse } from "@/operations/deprecated-uses/service";

export const versions = versionTable(DEPRECATIONS);

/** Declares a method of the REST API. The functions of the areas are passed to the REST kit here. */
export const { endpoint } = restKit({
  authenticate,
  versions,
  recordDeprecatedUse: enqueueDeprecatedUse,
  overloadOf: gitOverload,
});
