import { z } from "zod";
import type { Principal } from "@/access/principal";
import { notFound, unprocessable } from "@/http-api/errors";
import { flag, id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";
import type { InGroup, InProject } from "@/workspace/api/access-rules";
import { ALL_TRIGGERS, HOOKS_MAX, type HookPlace, type Trigger, type Webhook } from "../hooks/rules";
import * as service from "../hooks/service";
import type { ShownHook } from "./entities/hook";

/**
 * The functions that return the owner of the webhooks, and the user who sent the request, from the context of
 * an endpoint.
 */
export type HookOwner<Context> = Readonly<{
  placeOf: (context: Context) => HookPlace;
  userOf: (context: Context) => Principal["user"];
}>;

export const ofProject: HookOwner<InProject> = {
  placeOf: ({ project }) => ({ kind: "project", id: project.id }),
  userOf: ({ user }) => user,
};
export const ofGroup: HookOwner<InGroup> = {
  placeOf: ({ group }) => ({ kind: "group", id: group.id }),
  userOf: ({ user }) => user,
};
export const ofInstance: HookOwner<Principal> = {
  placeOf: () => ({ kind: "instance" }),
  userOf: ({ user }) => user,
};

const fields = z.object({
  name: text(255).optional(),
  description: text(2_048).optional(),
  token: z
    .string()
    .max(255)
    .optional()
    .describe("The value of the header X-Gitlab-Token; an empty text removes the header."),
  signing_token: z
    .string()
    .max(255)
    .optional()
    .describe(
      "The signing secret: whsec_ followed by 24 to 64 bytes in base64. By default, the instance generates the signing secret.",
    ),
  push_events: flag.optional(),
  push_events_branch_filter: text(255).optional(),
  branch_filter_strategy: z.enum(["wildcard", "all_branches"]).optional(),
  tag_push_events: flag.optional(),
  merge_requests_events: flag.optional(),
  error_events: flag
    .optional()
    .describe("A tracked error is reported for the first time, or again after it was resolved."),
  security_events: flag.optional(),
  audit_events: flag.optional(),
  enable_ssl_verification: flag.optional().describe("Certificates are always verified."),
});
const url = z.string().trim().max(2_048);

export const newHook = fields.extend({ url });
export const hookReference = z.object({ hook_id: id });
export const hookChanges = fields.extend({ hook_id: id, url: url.optional() });

type Input = z.infer<typeof fields> & Readonly<{ url?: string | undefined }>;

/** @throws ApiError 422 for a parameter that the instance does not support. */
function draftFrom(input: Input, before: Pick<Webhook, "triggers" | "branchFilter">) {
  if (input.enable_ssl_verification === false)
    throw unprocessable([
      "Enable ssl verification cannot be false, because certificates are always verified",
    ]);
  const triggers = ALL_TRIGGERS.filter((trigger) => input[trigger] ?? before.triggers.includes(trigger));
  const filter = input.push_events_branch_filter ?? before.branchFilter;
  return {
    ...{ url: input.url, name: input.name, description: input.description, triggers },
    token: input.token === undefined ? undefined : input.token || null,
    signingSecret: input.signing_token,
    branchFilter: input.branch_filter_strategy === "all_branches" ? "" : filter,
  };
}

const given = <Draft extends object>(draft: Draft) =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Draft]?: Exclude<Draft[Name], undefined>;
  };

const LABELS = { url: "Url", token: "Token", signing_token: "Signing token" } as const;

function refused(problems: service.HookProblems): Error {
  const label = (field: string) =>
    (LABELS as Readonly<Record<string, string>>)[field] ??
    `${field.slice(0, 1).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;
  return unprocessable(Object.entries(problems).map(([field, problem]) => `${label(field)} ${problem}`));
}

const DEFAULT_TRIGGERS: readonly Trigger[] = ["push_events"];

const shown = (webhook: Webhook, signingSecret: string | null = null): ShownHook => ({
  webhook,
  signingSecret,
});

/**
 * Returns a webhook of an owner.
 * @throws ApiError 404 for an unknown webhook.
 */
export async function requireHook(deps: Deps, place: HookPlace, hookId: number): Promise<Webhook> {
  const webhook = await service.findHook(deps, place, hookId);
  if (webhook === null) throw notFound();
  return webhook;
}

/**
 * Returns the handlers of the endpoints that list, read, create, change and delete the webhooks of one owner.
 */
export const hookEndpoints = <Context>({ placeOf, userOf }: HookOwner<Context>) => ({
  list: async (deps: Deps, context: Context, _input: object, paging: Paging): Promise<Page<ShownHook>> =>
    partOf(
      (await service.listHooks(deps, placeOf(context))).map((webhook) => shown(webhook)),
      paging,
    ),
  read: async (
    deps: Deps,
    context: Context,
    { hook_id }: z.infer<typeof hookReference>,
  ): Promise<ShownHook> => shown(await requireHook(deps, placeOf(context), hook_id)),
  create: async (deps: Deps, context: Context, input: z.infer<typeof newHook>): Promise<ShownHook> => {
    const draft = draftFrom(input, { triggers: DEFAULT_TRIGGERS, branchFilter: "" });
    const { url, name = "", description = "", token = null, ...rest } = draft;
    const outcome = await service.createHook(
      deps,
      placeOf(context),
      { ...rest, name, description, token, url: url ?? "" },
      userOf(context),
    );
    if (outcome === "too_many") throw unprocessable([`There can be at most ${HOOKS_MAX} webhooks`]);
    if ("problems" in outcome) throw refused(outcome.problems);
    return shown(outcome.webhook, outcome.signingSecret);
  },
  change: async (deps: Deps, context: Context, input: z.infer<typeof hookChanges>): Promise<ShownHook> => {
    const webhook = await requireHook(deps, placeOf(context), input.hook_id);
    const changed = await service.changeHook(
      deps,
      webhook,
      given(draftFrom(input, webhook)),
      userOf(context),
    );
    if (changed === null) throw notFound();
    if ("problems" in changed) throw refused(changed.problems);
    return shown(changed);
  },
  remove: async (deps: Deps, context: Context, { hook_id }: z.infer<typeof hookReference>): Promise<null> => {
    const webhook = await requireHook(deps, placeOf(context), hook_id);
    if (!(await service.removeHook(deps, webhook, userOf(context)))) throw notFound();
    return null;
  },
});
