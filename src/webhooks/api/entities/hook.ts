import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import { DISABLED_AFTER, statusOf, type Webhook } from "@/webhooks/hooks/rules";

/**
 * The API response for a webhook. Only the response to the creation of a webhook contains the signing secret.
 */
export type ShownHook = Readonly<{ webhook: Webhook; signingSecret: string | null }>;

/** The events of GitLab that this instance never sends. */
const UNSENT = [
  "issues_events",
  "confidential_issues_events",
  "note_events",
  "confidential_note_events",
  "job_events",
  "pipeline_events",
  "wiki_page_events",
  "deployment_events",
  "releases_events",
  "feature_flag_events",
  "repository_update_events",
] as const;

export const hook = defineEntity(
  "webhook",
  {
    id: z.int(),
    url: z.string(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    project_id: z.int().nullable(),
    group_id: z.int().nullable(),
    push_events: z.boolean(),
    push_events_branch_filter: z.string(),
    branch_filter_strategy: z.enum(["wildcard", "all_branches"]),
    tag_push_events: z.boolean(),
    merge_requests_events: z.boolean(),
    error_events: z.boolean(),
    security_events: z.boolean(),
    audit_events: z.boolean(),
    ...(Object.fromEntries(UNSENT.map((name) => [name, z.literal(false)])) as Record<
      (typeof UNSENT)[number],
      z.ZodLiteral<false>
    >),
    enable_ssl_verification: z.literal(true),
    alert_status: z.enum(["executable", "temporarily_disabled", "disabled"]),
    disabled_until: moment.nullable(),
    token_present: z.boolean(),
    signing_token_present: z.literal(true),
    signing_token: z
      .string()
      .nullable()
      .describe(
        "The signing secret. Only the response to the creation of the webhook contains the signing secret.",
      ),
    url_variables: z.array(z.string()).max(0),
    custom_headers: z.array(z.string()).max(0),
    custom_webhook_template: z.null(),
    created_at: moment,
  },
  ({ webhook, signingSecret }: ShownHook, { clock }) => {
    const { id, url, name, description, place, triggers, branchFilter, hasToken, disabledUntil } = webhook;
    const status = statusOf(webhook, clock());
    return {
      ...{ id, url },
      name: name === "" ? null : name,
      description: description === "" ? null : description,
      project_id: place.kind === "project" ? place.id : null,
      group_id: place.kind === "group" ? place.id : null,
      push_events: triggers.includes("push_events"),
      push_events_branch_filter: branchFilter,
      branch_filter_strategy: branchFilter === "" ? ("all_branches" as const) : ("wildcard" as const),
      tag_push_events: triggers.includes("tag_push_events"),
      merge_requests_events: triggers.includes("merge_requests_events"),
      error_events: triggers.includes("error_events"),
      security_events: triggers.includes("security_events"),
      audit_events: triggers.includes("audit_events"),
      ...(Object.fromEntries(UNSENT.map((event) => [event, false])) as Record<
        (typeof UNSENT)[number],
        false
      >),
      enable_ssl_verification: true as const,
      alert_status: status,
      disabled_until:
        status === "temporarily_disabled" && webhook.failures < DISABLED_AFTER
          ? (disabledUntil?.toISOString() ?? null)
          : null,
      token_present: hasToken,
      signing_token_present: true as const,
      signing_token: signingSecret,
      url_variables: [],
      custom_headers: [],
      custom_webhook_template: null,
      created_at: webhook.createdAt.toISOString(),
    };
  },
);
