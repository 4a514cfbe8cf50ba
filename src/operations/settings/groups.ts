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
    about: "Who may come in, and what they may do here.",
    keys: [
      "signup_enabled",
      "user_oauth_applications",
      "user_email_changes",
      "user_defaults_to_private_profile",
      "password_minimum_length_without_two_factor",
      "session_expires_in",
      "admin_session_idle_limit",
    ],
  },
  {
    id: "second_factor",
    title: "Second factor",
    about: "Whether a password alone is enough.",
    keys: ["require_two_factor_authentication", "two_factor_grace_period"],
  },
  {
    id: "passwords",
    title: "Passwords outside this site",
    about: "Where else than on the sign-in page a password is taken.",
    keys: ["password_authentication_enabled_for_git", "ropc_without_client_credentials"],
  },
  {
    id: "tokens",
    title: "Codes and tokens",
    about: "How long each of them lives. What has been issued keeps the end that it was given.",
    keys: [
      "oauth_access_token_expires_in",
      "oauth_code_expires_in",
      "id_token_expires_in",
      "refresh_token_idle_limit",
      "refresh_token_absolute_limit",
      "container_registry_token_expire_delay",
    ],
  },
  {
    id: "clients",
    title: "Client compatibility",
    about: "Details on which client libraries and programs depend.",
    keys: ["authorization_response_iss", "reported_version"],
  },
  {
    id: "repeats",
    title: "Repeated codes and refresh tokens",
    about: "When a repetition is a lost answer, and when it is theft.",
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
    about: "For programs without a browser, once the feature flag is on.",
    keys: ["device_code_expires_in", "device_poll_interval"],
  },
  {
    id: "audit",
    title: "Audit events",
    about: "How long it can be looked up what happened here.",
    keys: ["audit_event_retention_days"],
  },
  {
    id: "errors",
    title: "Error tracking",
    about: "How many events of its programs a project may report, and how long they are kept.",
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
    about: "What projects may publish.",
    keys: ["generic_package_file_size_max"],
  },
  {
    id: "limits",
    title: "Limits",
    about: "How often something may fail before it is refused for a while. 0 lifts a limit.",
    keys: (Object.keys(LIMITS) as LimitName[]).map((name) => `limit_${name}` as const),
  },
];

const listed: ReadonlySet<string> = new Set(LISTED.flatMap(({ keys }) => keys));
const others = (Object.keys(SETTINGS) as SettingKey[]).filter((key) => !listed.has(key));

/** Every setting of the catalogue, in one group each: the page has a form for each group. */
export const SETTING_GROUPS: readonly SettingGroup[] =
  others.length === 0
    ? LISTED
    : [...LISTED, { id: "others", title: "Others", about: "What has no place elsewhere.", keys: others }];
