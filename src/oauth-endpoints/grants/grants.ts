import { authorizationCode } from "./authorization-code";
import { clientCredentials } from "./client-credentials";
import { deviceCode } from "./device-code";
import type { Grant } from "./grant";
import { password } from "./password";
import { refreshToken } from "./refresh-token";

/** The supported grant types. To add a grant type, add a file to this folder and an entry to this list. */
export const GRANTS: readonly Grant[] = [
  authorizationCode,
  refreshToken,
  password,
  deviceCode,
  clientCredentials,
];
