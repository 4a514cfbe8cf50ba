import { notFound } from "next/navigation";
import { requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import { applicationsInGroup } from "@/oauth/applications/group-removal";
import { findManaged } from "@/oauth/applications/management";
import type { ManagedApplication } from "@/oauth/applications/rules";
import { idFrom } from "@/oauth/applications/schema";
import { isOwner } from "@/oauth/applications/transfer";
import { listHeld, registrationAt } from "@/oauth/own-applications/loaders";
import { GROUPS, requireGroup } from "../groups/loaders";
import { findTarget, type Target, type TargetRefusal } from "./service";

/** Returns the path of the list of the applications of a group. */
export const listPathOf = (home: string): string => `${home}/settings/applications`;

/** Loads a page of the applications of a group, for an Owner of the group. */
export async function loadGroupApplications(id: string, query: Query) {
  const { group } = await requireGroup(id, listPathOf, "owner");
  const path = listPathOf(`${GROUPS}/${group.id}`);
  return { group, page: await listHeld({ kind: "group", id: group.id }, path, query) };
}

/** Loads the form that registers an application of a group, for an Owner of the group. */
export async function loadGroupRegistration(id: string, query: Query) {
  const { group } = await requireGroup(id, (home) => `${listPathOf(home)}/new`, "owner");
  const list = listPathOf(`${GROUPS}/${group.id}`);
  return { group, list, ...(await registrationAt(`${list}/new`, query)) };
}

/** Loads the applications that are deleted together with a group, for an Owner of the group. */
export async function loadDeletedApplications(id: string) {
  const { group } = await requireGroup(id, (home) => `${home}/settings`, "owner");
  return applicationsInGroup(systemDeps(), group.id);
}

/** The data of the page that asks the user to confirm the transfer of an application. */
export type TransferPage = Readonly<{
  application: ManagedApplication;
  /** The name of the new owner, as the user entered it. */
  to: string;
  target: Target | TargetRefusal;
}>;

/** Loads the page that asks the owner of an application to confirm a transfer. */
export async function loadTransfer(id: string, query: Query): Promise<TransferPage> {
  const to = textOf(query, "to").trim().slice(0, 1024);
  const path = `/user_settings/applications/${encodeURIComponent(id)}/transfer`;
  const { user } = await requireSession(urlWithQuery(path, { to }));
  const deps = systemDeps();
  const application = (await findManaged(deps, user, idFrom(id), "own")) ?? notFound();
  const target = await findTarget(deps, user, to);
  const same = typeof target !== "string" && isOwner(application.owner, user, target.owner);
  return { application, to, target: same ? "same" : target };
}
