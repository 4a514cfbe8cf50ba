import { authorizationCode } from "./authorization-code";
import type { Grant } from "./grant";

/** The grants this server speaks. A new one is a new file and a new line. */
export const GRANTS: readonly Grant[] = [authorizationCode];
