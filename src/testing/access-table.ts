import { CODE } from "./access-table/code.ts";
import { ERROR_TRACKING } from "./access-table/error-tracking.ts";
import { FLEET } from "./access-table/fleet.ts";
import { IDENTITY } from "./access-table/identity.ts";
import { OAUTH } from "./access-table/oauth.ts";
import { OPERATIONS } from "./access-table/operations.ts";
import { REGISTRIES } from "./access-table/registries.ts";
import { REVIEW } from "./access-table/review.ts";
import type { AccessRow } from "./access-table/row.ts";
import { WEBHOOKS } from "./access-table/webhooks.ts";
import { WORKSPACE } from "./access-table/workspace.ts";
import { WORKSPACE_CREDENTIALS } from "./access-table/workspace-credentials.ts";

/**
 * The access rules of the API, written by hand. The tests call every endpoint as every kind of user and
 * compare the responses with this table, and docs/api-access.md is generated from this table. The access
 * table is independent of the declarations in the route files. The rows of the endpoints of each module are
 * in a separate file.
 */
export const ACCESS: readonly AccessRow[] = [
  ...OPERATIONS,
  ...IDENTITY,
  ...OAUTH,
  ...WORKSPACE,
  ...WORKSPACE_CREDENTIALS,
  ...CODE,
  ...REVIEW,
  ...REGISTRIES,
  ...ERROR_TRACKING,
  ...FLEET,
  ...WEBHOOKS,
];
