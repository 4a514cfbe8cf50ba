import { authorizationCode } from "./authorization-code";
import { deviceCode } from "./device-code";
import type { Grant } from "./grant";
import { password } from "./password";
import { refreshToken } from "./refresh-token";

/** The grants this server speaks. A new one is a new file and a new line. */
export const GRANTS: readonly Grant[] = [authorizationCode, refreshToken, password, deviceCode];
