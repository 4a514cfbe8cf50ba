import { gitOverload } from "@/code/git/git-overload";
import { restKit } from "@/http-api/endpoint";
import { enqueueDeprecatedUse } from "@/operations/deprecated-uses/service";
import { authenticateAnyToken } from "@/workspace/api/authenticate-deploy-token";
import { versions } from "./api-versions";

/**
 * Declares a method of the REST API. The call of `restKit` provides the functions of other modules that
 * `src/http-api` cannot import.
 */
export const { endpoint } = restKit({
  authenticate: authenticateAnyToken,
  versions,
  recordDeprecatedUse: enqueueDeprecatedUse,
  overloadOf: gitOverload,
});
