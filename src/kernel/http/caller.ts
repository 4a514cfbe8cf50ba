import { clientIpOf } from "./ip-address";
import { keptUserAgent } from "./user-agent";

/** The origin of a request, which users see in order to recognize the request. */
export type Caller = Readonly<{ ipAddress: string; userAgent: string }>;

/** Returns the IP address and the `User-Agent` header of a request in their stored forms. */
export const callerOf = (request: Request): Caller => ({
  ipAddress: clientIpOf(request),
  userAgent: keptUserAgent(request.headers.get("user-agent")),
});
