import { clientIpOf } from "./ip-address";
import { keptUserAgent } from "./user-agent";

/** Where a request came from, for a person to recognise. */
export type Caller = Readonly<{ ipAddress: string; userAgent: string }>;

/** The caller of a request, as it is kept. */
export const callerOf = (request: Request): Caller => ({
  ipAddress: clientIpOf(request),
  userAgent: keptUserAgent(request.headers.get("user-agent")),
});
