import { authorizationCode } from "./authorization-code";
import { deviceCode } from "./device-code";
import type { Grant } from "./grant";
import { password } from "./password";
import { refreshToken } from "./refresh-token";

/** The supported grants. A new grant is a new file and an entry here. */
export const GRANTS: readonly Grant[] = [authorizationCode, refreshToken, password, deviceCode];
