import { notFound } from "next/navigation";
import type { User } from "@/access/principal";
import { heldFormOf, requireAdmin, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { findOwn } from "@/oauth/applications/service";
import { requireGroup } from "@/workspace/groups/loaders";
import { requireProject } from "@/workspace/projects/loaders";
import { listDeliveries } from "../deliveries/service";
import { type HookKind, type HookPlace, statusOf } from "../hooks/rules";
import { findHook, listHooks } from "../hooks/service";
import { EMPTY_FORM, formOf, readHookForm } from "./schema";

/**
 * The URL path of the webhooks of an owner.
 * @param owner the id of the group, the project or the application.
 */
export function hooksPath(kind: HookKind, owner: string): string {
  const id = encodeURIComponent(owner);
  if (kind === "instance") return "/admin/webhooks";
  return kind === "application"
    ? `/user_settings/applications/${id}/webhooks`
    : `/${kind}s/${id}/settings/webhooks`;
}

/** An owner of webhooks, and the user who may administer them. */
export type Administered = Readonly<{ place: HookPlace; owner: string; user: User }>;

/**
 * Returns the owner that a page or a form names, if the user may administer the webhooks of the owner.
 * @param hook the end of the path of the page to which the user returns after a sign-in.
 */
export async function requireOwner(kind: HookKind, owner: string, hook = ""): Promise<Administered> {
  const end = hook === "" ? "" : `/${encodeURIComponent(hook)}`;
  if (kind === "instance") {
    const { user } = await requireAdmin(`${hooksPath(kind, "")}${end}`);
    return { place: { kind }, owner: "", user };
  }
  if (kind === "application") {
    const { user } = await requireSession(`${hooksPath(kind, owner)}${end}`);
    const id = readId(owner);
    const application = (id === null ? null : await findOwn(systemDeps(), user, id)) ?? notFound();
    return { place: { kind, id: application.id }, owner: `${application.id}`, user };
  }
  const path = (home: string): string => `${home}/settings/webhooks${end}`;
  if (kind === "group") {
    const { group, session } = await requireGroup(owner, path, "owner");
    return { place: { kind, id: group.id }, owner: `${group.id}`, user: session.user };
  }
  const { project, session } = await requireProject(owner, path, "maintainer");
  return { place: { kind, id: project.id }, owner: `${project.id}`, user: session.user };
}

/**
 * Loads the webhooks of an owner, with the form of a new webhook. After a re-authentication, the form of a
 * new webhook contains the values that were submitted before the re-authentication.
 */
export async function loadHooks(kind: HookKind, id: string) {
  const { place, owner } = await requireOwner(kind, id);
  const deps = systemDeps();
  const now = deps.clock();
  const hooks = (await listHooks(deps, place)).map((hook) => ({ ...hook, status: statusOf(hook, now) }));
  const held = kind === "instance" ? await heldFormOf(hooksPath(kind, "")) : null;
  return { kind, owner, hooks, now, form: held === null ? EMPTY_FORM : readHookForm(held) };
}

export type ListedHook = Awaited<ReturnType<typeof loadHooks>>["hooks"][number];

const DELIVERIES_SHOWN = 20;

/** Loads a webhook with its newest messages. For an unknown webhook id, the response has the status 404. */
export async function loadHook(kind: HookKind, id: string, hook: string) {
  const { place, owner } = await requireOwner(kind, id, hook);
  const deps = systemDeps();
  const hookId = readId(hook);
  const webhook = (hookId === null ? null : await findHook(deps, place, hookId)) ?? notFound();
  const now = deps.clock();
  const filter = { status: null, isSent: false };
  const { rows } = await listDeliveries(deps, webhook.id, filter, { page: 1, perPage: DELIVERIES_SHOWN });
  const held = kind === "instance" ? await heldFormOf(`${hooksPath(kind, "")}/${webhook.id}`) : null;
  const form = held === null || !held.has("url") ? formOf(webhook) : readHookForm(held);
  return { kind, owner, webhook, status: statusOf(webhook, now), deliveries: rows, now, form };
}

export type LoadedHook = Awaited<ReturnType<typeof loadHook>>;
