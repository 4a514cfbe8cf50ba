import type { PollRefusal } from "@/oauth/device-authorizations/polling";
import { OAuthError } from "./errors";

/** Returns the error response for requests while the device grant is disabled. */
export const deviceGrantOff = (status: 400 | 404): OAuthError =>
  new OAuthError(
    "unsupported_grant_type",
    "The device authorization grant is disabled on this server.",
    "device_grant_off",
    { status },
  );

/**
 * Returns the error response to a refused poll of a device. The error does not reveal whether a device code
 * is unknown, used or issued to another client (RFC 8628 §3.5).
 */
export function pollRefusal(refusal: PollRefusal): OAuthError {
  const reason = `device_${refusal.refused}`;
  switch (refusal.refused) {
    case "authorization_pending":
      return new OAuthError(
        "authorization_pending",
        "The user has neither allowed nor denied the request yet. Continue polling.",
        reason,
      );
    case "slow_down":
      return new OAuthError(
        "slow_down",
        `Polling too frequently. Wait ${refusal.intervalSeconds} seconds between polls.`,
        reason,
        { members: { interval: refusal.intervalSeconds } },
      );
    case "expired_token":
      return new OAuthError(
        "expired_token",
        "The device code has expired. Request a new device code.",
        reason,
      );
    case "access_denied":
      return new OAuthError("access_denied", "The user denied the request.", reason);
    default:
      return new OAuthError(
        "invalid_grant",
        "The device code is invalid or already used, or was issued to another client.",
        reason,
      );
  }
}
