/**
 * The parameters with which the GitLab API filters and orders lists. The table contains only lists that the
 * API of Gatehouse also has. A list refuses the parameters that it does not implement, because an unfiltered
 * list would be a wrong response to a filter. The module `paging.ts` declares the pagination parameters.
 * Parameters that only add fields to the rows of a response (`simple`, `statistics`,
 * `with_custom_attributes`) are not listed.
 */
const PROJECT_FILTERS = [
  ...["archived", "active", "custom_attributes", "id_after", "id_before", "imported", "last_activity_after"],
  ...[
    "last_activity_before",
    "marked_for_deletion_on",
    "membership",
    "min_access_level",
    "order_by",
    "owned",
  ],
  ...["repository_checksum_failed", "repository_storage", "search", "search_namespaces", "sort", "starred"],
  ...["topic", "topic_id", "updated_after", "updated_before", "visibility", "wiki_checksum_failed"],
  ...["with_issues_enabled", "with_merge_requests_enabled", "with_programming_language"],
] as const;

const GROUP_FILTERS = [
  ...["active", "all_available", "archived", "custom_attributes", "marked_for_deletion_on"],
  ...["min_access_level", "order_by", "owned", "repository_storage", "search", "skip_groups", "sort"],
  ...["top_level_only", "visibility"],
] as const;

const MERGE_REQUEST_FILTERS = [
  ...["approved", "approved_by_ids", "approved_by_usernames", "approver_ids", "assignee_id"],
  ...["assignee_username", "author_id", "author_username", "created_after", "created_before"],
  ...["deployed_after", "deployed_before", "draft", "environment", "iids", "in", "labels", "merge_user_id"],
  ...["merge_user_username", "milestone", "my_reaction_emoji", "non_archived", "not", "order_by"],
  ...["reviewer_id", "reviewer_username", "scope", "search", "sort", "source_branch", "source_project_id"],
  // The parameter `with_labels_details` changes the type of the field `labels` in the response.
  ...["state", "target_branch", "updated_after", "updated_before", "wip", "with_labels_details"],
] as const;

const MEMBER_FILTERS = ["query", "user_ids", "skip_users", "state", "blocked", "with_saml_identity"] as const;

/** API v5 refuses the deprecated filter `active`, which only API v4 implements. */
const RUNNER_FILTERS = [
  ...["active", "paused", "scope", "status", "tag_list", "type", "version_prefix"],
] as const;

export const GITLAB_PARAMETERS = {
  deploy_tokens: ["active"],
  impersonation_tokens: ["state"],
  access_tokens: [
    ...["created_after", "created_before", "expires_after", "expires_before", "last_used_after"],
    ...["last_used_before", "revoked", "search", "sort", "state"],
  ],
  approval_rules: [],
  applications: [],
  branches: ["search", "regex", "sort", "order_by"],
  client_keys: [],
  commits: [
    ...["ref_name", "since", "until", "path", "author", "all", "with_stats", "first_parent", "order"],
    ...["trailers", "follow"],
  ],
  commit_diff: ["unidiff"],
  emails: [],
  features: [],
  geo_sites: [],
  group_members: MEMBER_FILTERS,
  group_projects: [...PROJECT_FILTERS, "include_subgroups", "with_shared", "with_security_reports"],
  groups: GROUP_FILTERS,
  hook_events: ["status"],
  hooks: [],
  invitations: ["query"],
  managed_licenses: [],
  merge_request_commits: [],
  merge_request_diffs: ["unidiff"],
  merge_request_versions: [],
  merge_requests: MERGE_REQUEST_FILTERS,
  namespaces: ["search", "owned_only", "top_level_only", "full_path_search", "requested_hosted_plan"],
  package_files: ["order_by", "sort"],
  packages: [
    ...["order_by", "sort", "package_type", "package_name", "package_version", "include_versionless"],
    "status",
  ],
  personal_access_tokens: [
    ...["created_after", "created_before", "expires_after", "expires_before", "last_used_after"],
    ...["last_used_before", "revoked", "search", "sort", "state", "user_id"],
  ],
  project_members: MEMBER_FILTERS,
  projects: PROJECT_FILTERS,
  protected_branches: ["search"],
  registry_repositories: [],
  registry_tags: ["sort"],
  runners: RUNNER_FILTERS,
  subgroups: GROUP_FILTERS,
  tags: ["order_by", "sort", "search"],
  tree: ["path", "ref", "recursive"],
  users: [
    ...["active", "admins", "auditors", "blocked", "created_after", "created_before", "custom_attributes"],
    ...["exclude_active", "exclude_external", "exclude_humans", "exclude_internal", "extern_uid", "external"],
    ...["humans", "order_by", "provider", "public_email", "saml_provider_id", "search", "skip_ldap", "sort"],
    ...["two_factor", "username", "without_project_bots", "without_projects"],
  ],
  /** The entry of the table for lists that do not exist in GitLab. */
  none: [],
  note_list: ["order_by", "sort"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
