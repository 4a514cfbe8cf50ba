import { randomUUID } from "node:crypto";

export const REQUEST_ID_HEADER = "x-request-id";

/**
 * Hexadecimal digits and dashes: what proxies make. Anything wider would let a caller write a token or a
 * forged line into the log.
 */
const ACCEPTABLE = /^[0-9a-fA-F-]{8,64}$/;

/**
 * The name of one request, in its answer and in the log.
 * @param sent the `X-Request-Id` that came with the request; kept when it is acceptable.
 */
export const requestIdFrom = (sent: string | undefined, make: () => string = randomUUID): string =>
  sent !== undefined && ACCEPTABLE.test(sent) ? sent : make();

/** The id that the server gave this request. */
export const requestIdOf = (request: Request): string => request.headers.get(REQUEST_ID_HEADER) ?? "none";
