import { clientIpOf } from "./ip-address";
import { keptUserAgent } from "./user-agent";

/** The origin of a request, which is shown to users so that they can recognize the request. */
export type Caller = Readonly<{ ipAddress: string; userAgent: string }>;

/** Returns the caller of a request, in the form that is stored. */
export const callerOf = (request: Request): Caller => ({
  ipAddress: clientIpOf(request),
  userAgent: keptUserAgent(request.headers.get("user-agent")),
});
