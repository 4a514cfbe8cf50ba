import type { PollRefusal } from "@/oauth/device-authorizations/polling";
import { OAuthError } from "./errors";

/** While the feature flag is off, the grant does not exist. */
export const deviceGrantOff = (status: 400 | 404): OAuthError =>
  new OAuthError(
    "unsupported_grant_type",
    "The device authorization grant is switched off on this server.",
    "device_grant_off",
    { status },
  );

/** A device code that is unknown, redeemed or somebody else's looks the same from outside (RFC 8628 §3.5). */
export function pollRefusal(refusal: PollRefusal): OAuthError {
  const reason = `device_${refusal.refused}`;
  switch (refusal.refused) {
    case "authorization_pending":
      return new OAuthError("authorization_pending", "The person has not decided yet. Keep polling.", reason);
    case "slow_down":
      return new OAuthError(
        "slow_down",
        `Too fast. Wait ${refusal.intervalSeconds} seconds between polls from now on.`,
        reason,
        { members: { interval: refusal.intervalSeconds } },
      );
    case "expired_token":
      return new OAuthError("expired_token", "The device code has expired. Ask for a new one.", reason);
    case "access_denied":
      return new OAuthError("access_denied", "The person denied the request.", reason);
    default:
      return new OAuthError(
        "invalid_grant",
        "The device code is invalid or already used, or was issued to another client.",
        reason,
      );
  }
}
