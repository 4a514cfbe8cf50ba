import { randomUUID } from "node:crypto";

export const REQUEST_ID_HEADER = "x-request-id";

/**
 * The accepted characters of a request ID: hexadecimal digits and dashes, which proxies generate. Other
 * characters would allow a caller to write a token or a forged line into the log.
 */
const ACCEPTABLE = /^[0-9a-fA-F-]{8,64}$/;

/**
 * Returns the ID of a request, for its response and for the log.
 * @param header the `X-Request-Id` of the request, which is kept when its syntax is accepted.
 */
export const requestIdFrom = (header: string | undefined, make: () => string = randomUUID): string =>
  header !== undefined && ACCEPTABLE.test(header) ? header : make();

/** Returns the id that the server gave this request. */
export const requestIdOf = (request: Request): string => request.headers.get(REQUEST_ID_HEADER) ?? "none";
