import { authorizationCode } from "./authorization-code";
import { clientCredentials } from "./client-credentials";
import { deviceCode } from "./device-code";
import type { Grant } from "./grant";
import { password } from "./password";
import { refreshToken } from "./refresh-token";

/** The supported grants. To add a grant, add a file and an entry in this list. */
export const GRANTS: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  password,
  deviceCode,
  clientCredentials,
];
