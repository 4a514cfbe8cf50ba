import { LIMITS } from "@/instance/rate-limits/limits";
import type { DurationUnit } from "./duration";

/**
 * An entry of the catalog of settings. The value of a setting is a switch, a number, a choice or a short
 * text.
 */
export type SettingRow = Readonly<{ about: string }> &
  (
    | Readonly<{ default: boolean }>
    /** `unit` is the unit of a duration. */
    | Readonly<{ default: number; least: number; most: number; unit?: DurationUnit }>
    /** `choices` contains each allowed value with its label. */
    | Readonly<{ default: string; choices: Readonly<Record<string, string>> }>
    /**
     * `pattern` is a regular expression that matches the whole text; `format` describes the same format in
     * words.
     */
    | Readonly<{ default: string; pattern: string; format: string }>
  );

const DAY = 86_400;
const seconds = (about: string, value: number, least: number, most: number) => ({
  about,
  default: value,
  least,
  most,
  unit: "seconds" as const,
});

/** The choices for the settings that define which clients without an owner the instance accepts. */
const UNREGISTERED_CLIENTS = {
  off: "None",
  mcp: "Clients that only use the MCP server (scope mcp)",
  on: "Clients with any scope that the user allows",
} as const;

/** The settings of the instance, which the API, the command line and the settings page list. */
const INSTANCE_SETTINGS = {
  oauth_access_token_expires_in: seconds(
    "Lifetime of an access token in seconds; 0 means unlimited",
    7200,
    0,
    365 * DAY,
  ),
  oauth_code_expires_in: seconds("Lifetime of an authorization code in seconds", 600, 10, 600),
  code_reuse_leeway: seconds(
    "Seconds during which a repeated authorization code is rejected but its tokens are not revoked, because the client may not have received the first response",
    10,
    0,
    600,
  ),
  device_code_expires_in: seconds("Lifetime of a device code in seconds", 300, 30, 1800),
  device_poll_interval: seconds("Seconds that a device waits between polls", 5, 1, 60),
  id_token_expires_in: seconds("Lifetime of an ID token in seconds", 120, 30, DAY),
  signing_key_rotation_days: {
    about: "Days after which a new key signs ID tokens; 0 means never",
    default: 0,
    least: 0,
    most: 3650,
    unit: "days",
  },
  refresh_token_idle_limit: seconds(
    "Seconds after which an unused refresh token expires; 0 means never",
    90 * DAY,
    0,
    3650 * DAY,
  ),
  refresh_token_absolute_limit: seconds(
    "Seconds after which a grant can no longer be refreshed; 0 means never",
    0,
    0,
    3650 * DAY,
  ),
  refresh_reuse_leeway: seconds(
    "Seconds during which a repeated refresh token is rejected but its grant is not revoked, because the client may have sent two requests at the same time",
    10,
    0,
    600,
  ),
  refresh_retry_window: seconds(
    "Seconds during which a repeated refresh request gets the same response again; 0 means never",
    0,
    0,
    600,
  ),
  refresh_requires_redirect_uri: {
    about: "A refresh request must contain the redirect_uri of the authorization request",
    default: false,
  },
  session_expires_in: seconds("Seconds after which a browser session expires", 7 * DAY, 60, 365 * DAY),
  admin_session_idle_limit: seconds(
    "Seconds after which an unused session of an administrator ends; 0 means never",
    DAY / 2,
    0,
    365 * DAY,
  ),
  audit_event_retention_days: {
    about: "Days for which audit events are kept; 0 means forever",
    default: 365,
    least: 0,
    most: 3650,
    unit: "days",
  },
  error_events_per_minute: {
    about: "Maximum number of events per minute and client key, for each server process; 0 means unlimited",
    default: 6_000,
    least: 0,
    most: 10_000_000,
  },
  new_errors_per_hour: {
    about:
      "Maximum number of new tracked errors per hour and client key, for each server process; 0 means unlimited",
    default: 1_000,
    least: 0,
    most: 1_000_000,
  },
  error_bytes_per_project: {
    about:
      "Maximum size of the stored events of a project in bytes, after which the oldest events are removed; 0 means unlimited",
    default: 268_435_456,
    least: 0,
    most: 2_147_483_647,
  },
  error_retention_days: {
    about: "Days for which tracked errors and their events are kept after the last event; 0 means forever",
    default: 90,
    least: 0,
    most: 3650,
    unit: "days",
  },
  generic_package_file_size_max: {
    about: "Maximum size of a file of a generic package in bytes",
    default: 1_073_741_824,
    least: 1,
    most: 2_147_483_647,
  },
  container_registry_token_expire_delay: {
    about: "Lifetime of a container registry token in minutes",
    default: 5,
    least: 1,
    most: 1440,
    unit: "minutes",
  },
  password_authentication_enabled_for_git: {
    about: "Git and the password grant accept passwords",
    default: true,
  },
  authorization_response_iss: {
    about: "Authorization responses that contain the parameter iss (RFC 9207)",
    default: "openid",
    choices: {
      openid: "Successful responses to OpenID Connect requests",
      always: "All responses, including errors",
      never: "None",
    },
  },
  reported_version: {
    about: "The GitLab version in the response of /version; this instance follows the API of that version",
    default: "17.2.0",
    pattern: "\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}(?:-[0-9A-Za-z.-]{1,32})?",
    format: "three numbers with dots, such as 17.2.0 or 17.2.0-ee",
  },
  ropc_without_client_credentials: {
    about: "The password grant does not require client authentication",
    default: true,
  },
  user_email_changes: {
    about:
      "Users can request a new e-mail address, which must be confirmed with a link or by an administrator",
    default: true,
  },
  email_confirmation_setting: {
    about:
      "Confirmation of e-mail addresses with a link in an e-mail; without a mail server, only administrators confirm e-mail addresses",
    default: "soft",
    choices: {
      off: "Only administrators confirm e-mail addresses",
      soft: "New users can sign in before they confirm their e-mail address",
      hard: "New users must confirm their e-mail address before they sign in",
    },
  },
  user_oauth_applications: { about: "Users can register applications", default: true },
  client_id_metadata_documents: {
    about: "Unregistered clients whose client_id is the URL of a client metadata document on their own site",
    default: "mcp",
    choices: UNREGISTERED_CLIENTS,
  },
  dynamic_client_registration: {
    about: "Clients that are registered dynamically at /oauth/register (RFC 7591)",
    default: "off",
    choices: UNREGISTERED_CLIENTS,
  },
  password_minimum_length_without_two_factor: {
    about: "Minimum number of characters in a new password of a user without a second factor",
    default: 8,
    least: 8,
    most: 128,
  },
  signup_enabled: { about: "Visitors can create an account", default: false },
  require_admin_approval_after_user_signup: {
    about: "An administrator must approve a registration before the user can sign in",
    default: false,
  },
  owners_can_invite: {
    about:
      "Owners of groups and projects can invite people by e-mail, and invited people can create an account even if registration is closed; administrators can always invite people",
    default: false,
  },
  require_two_factor_authentication: { about: "All users must set up a second factor", default: false },
  two_factor_grace_period: {
    about: "Hours that users have to set up a second factor",
    default: 48,
    least: 0,
    most: 8760,
    unit: "hours",
  },
  allow_local_requests_from_web_hooks_and_services: {
    about: "Webhooks can send requests to this server and to the local network",
    default: false,
  },
  user_defaults_to_private_profile: { about: "New profiles are private", default: false },
} as const satisfies Record<string, SettingRow>;

type LimitSetting = `limit_${keyof typeof LIMITS}`;

/** The settings of the rate limits, one for each limit; 0 means unlimited. */
const LIMIT_SETTINGS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { most, about }]) => [
    `limit_${name}`,
    { about, default: most, least: 0, most: 1_000_000 },
  ]),
) as Record<LimitSetting, { about: string; default: number; least: number; most: number }>;

export const SETTINGS = { ...INSTANCE_SETTINGS, ...LIMIT_SETTINGS };

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { readonly [Key in SettingKey]: SettingValue<(typeof SETTINGS)[Key]> };

type SettingValue<Row> = Row extends { choices: infer Choices }
  ? keyof Choices
  : Row extends { default: boolean }
    ? boolean
    : Row extends { default: number }
      ? number
      : string;

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);
