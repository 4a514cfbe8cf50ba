import { randomUUID } from "node:crypto";

export const REQUEST_ID_HEADER = "x-request-id";

/**
 * Hexadecimal digits and dashes, which proxies generate. More characters would let a caller write a token or
 * a forged line into the log.
 */
const ACCEPTABLE = /^[0-9a-fA-F-]{8,64}$/;

/**
 * Returns the id of a request, for its response and for the log.
 * @param sent the `X-Request-Id` of the request, which is kept when it is acceptable.
 */
export const requestIdFrom = (sent: string | undefined, make: () => string = randomUUID): string =>
  sent !== undefined && ACCEPTABLE.test(sent) ? sent : make();

/** Returns the id that the server gave this request. */
export const requestIdOf = (request: Request): string => request.headers.get(REQUEST_ID_HEADER) ?? "none";
