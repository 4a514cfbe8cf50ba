import { LIMITS, type LimitName } from "@/instance/rate-limits/limits";
import { SETTINGS, type SettingKey } from "@/instance/settings/catalog";

export type SettingGroup = Readonly<{
  id: string;
  title: string;
  about: string;
  keys: readonly SettingKey[];
}>;

const LISTED: readonly SettingGroup[] = [
  {
    id: "people",
    title: "People",
    about: "Settings for registration, and for the rights of users on this instance.",
    keys: [
      "signup_enabled",
      "require_admin_approval_after_user_signup",
      "owners_can_invite",
      "user_oauth_applications",
      "email_confirmation_setting",
      "user_email_changes",
      "user_defaults_to_private_profile",
      "password_minimum_length_without_two_factor",
      "session_expires_in",
      "admin_session_idle_limit",
    ],
  },
  {
    id: "second_factor",
    title: "Two-factor authentication",
    about: "Settings that require a second factor in addition to the password.",
    keys: ["require_two_factor_authentication", "two_factor_grace_period"],
  },
  {
    id: "passwords",
    title: "Passwords outside the sign-in page",
    about: "Endpoints other than the sign-in page that accept passwords.",
    keys: ["password_authentication_enabled_for_git", "ropc_without_client_credentials"],
  },
  {
    id: "tokens",
    title: "Codes and tokens",
    about: "The lifetime of codes and tokens. Codes and tokens that are already issued keep their expiry.",
    keys: [
      "oauth_access_token_expires_in",
      "oauth_code_expires_in",
      "id_token_expires_in",
      "signing_key_rotation_days",
      "refresh_token_idle_limit",
      "refresh_token_absolute_limit",
      "container_registry_token_expire_delay",
    ],
  },
  {
    id: "unregistered",
    title: "Unregistered clients",
    about:
      "Settings for clients that no user has registered, such as AI agents. Users allow or deny each of these clients on the consent page. While a setting does not allow a client or a scope, the tokens of the client with this scope are not valid.",
    keys: ["client_id_metadata_documents", "dynamic_client_registration"],
  },
  {
    id: "clients",
    title: "Client compatibility",
    about: "Responses and rules that affect the compatibility with client libraries.",
    keys: ["authorization_response_iss", "reported_version"],
  },
  {
    id: "webhooks",
    title: "Webhooks",
    about: "The URLs to which webhooks can send requests.",
    keys: ["allow_local_requests_from_web_hooks_and_services"],
  },
  {
    id: "repeats",
    title: "Repeated codes and refresh tokens",
    about:
      "Settings for authorization codes and refresh tokens that a client sends again. Either the client gets the same response again, or the code or token counts as stolen.",
    keys: [
      "code_reuse_leeway",
      "refresh_reuse_leeway",
      "refresh_retry_window",
      "refresh_requires_redirect_uri",
    ],
  },
  {
    id: "devices",
    title: "Devices",
    about: "Settings for devices without a browser. The feature flag oauth2_device_grant_flow must be on.",
    keys: ["device_code_expires_in", "device_poll_interval"],
  },
  {
    id: "audit",
    title: "Audit events",
    about: "The number of days for which audit events are kept.",
    keys: ["audit_event_retention_days"],
  },
  {
    id: "errors",
    title: "Error tracking",
    about: "The number of events that a project may report, and the time for which the events are kept.",
    keys: [
      "error_events_per_minute",
      "new_errors_per_hour",
      "error_bytes_per_project",
      "error_retention_days",
    ],
  },
  {
    id: "packages",
    title: "Packages",
    about: "Limits for the packages of projects.",
    keys: ["generic_package_file_size_max"],
  },
  {
    id: "limits",
    title: "Rate limits",
    about:
      "The number of attempts or requests after which further requests are refused for some time. 0 removes a limit. All IPv6 addresses of a /64 network count as one IP address.",
    keys: (Object.keys(LIMITS) as LimitName[]).map((name) => `limit_${name}` as const),
  },
];

const listed: ReadonlySet<string> = new Set(LISTED.flatMap(({ keys }) => keys));
const others = (Object.keys(SETTINGS) as SettingKey[]).filter((key) => !listed.has(key));

/** All settings of the catalog. Each setting is in one group, and the page shows one form for each group. */
export const SETTING_GROUPS: readonly SettingGroup[] =
  others.length === 0
    ? LISTED
    : [
        ...LISTED,
        {
          id: "others",
          title: "Other settings",
          about: "Settings that are not part of another group.",
          keys: others,
        },
      ];
