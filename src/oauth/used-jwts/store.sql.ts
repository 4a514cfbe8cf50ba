import type { Prepared, PreparedWrite } from "@/kernel/db/prepared";
import { CLAIM, type UsedJwt } from "./claim-jwt";

export const CLAIM_JWT: PreparedWrite<UsedJwt> = {
  name: "claim_jwt",
  sqlite: { each: (session, jwt) => session.run(CLAIM, jwt) === 1 },
  postgresql: {
    connections: 4,
    statement: async (session, jwt) => (await session.run(CLAIM, jwt)) === 1,
  },
};

/** Stores that a JSON Web Token was used. @returns true for exactly one of several concurrent callers. */
export const insertOnce = (prepared: Prepared, jwt: UsedJwt): Promise<boolean> =>
  prepared.write(CLAIM_JWT, jwt);
