import { clientIpOf } from "./ip-address";
import { keptUserAgent } from "./user-agent";

/**
 * The IP address and the `User-Agent` header of a request, which pages show so that users can recognize the
 * request.
 */
export type Caller = Readonly<{ ipAddress: string; userAgent: string }>;

/** Returns the IP address and the `User-Agent` header of a request in their stored forms. */
export const callerOf = (request: Request): Caller => ({
  ipAddress: clientIpOf(request),
  userAgent: keptUserAgent(request.headers.get("user-agent")),
});
