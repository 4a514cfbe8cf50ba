import { createHash } from "node:crypto";
import { notFound } from "next/navigation";
import { mayFetch } from "@/access/code";
import { defaultBranch, listNames } from "@/code/repositories/reference";
import { currentSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf } from "@/kernel/http/query";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { type OfferedBranch, offeredBranch } from "./pushed-branch";
import { LEAST_TO_MERGE, type MergeRequest, mayChange } from "./rules";
import { findMergeRequest } from "./service";

/** Returns the URL path of the list of merge requests. @param home the URL path of the project. */
export const mergeRequestsPath = (home: string): string => `${home}/merge_requests`;

/** Loads the data of the form for a new merge request. */
export async function loadNewMergeRequest(id: string, query: Query) {
  const path = (home: string) => `${mergeRequestsPath(home)}/new`;
  const { project } = await requireProject(id, path, LEAST_TO_MERGE);
  const deps = systemDeps();
  const { branches } = await listNames(deps, project);
  const main = defaultBranch(deps, project);
  return {
    project: project.id,
    home: mergeRequestsPath(`${PROJECTS}/${project.id}`),
    branches,
    main: main ?? "",
    source: textOf(query, "source"),
  };
}

/**
 * Returns the branch that the viewer has recently pushed and for which the project page offers to create a
 * merge request; null if no such branch exists.
 */
export async function loadOfferedBranch(project: AuthorizedProject): Promise<OfferedBranch | null> {
  const session = await currentSession();
  return session === null ? null : offeredBranch(systemDeps(), { project, user: session.user });
}

/**
 * Loads the form for the title and the description of a merge request. The page "not found" is shown to users who may
 * not edit the merge request.
 */
export async function loadMergeRequestEdit(id: string, iid: string) {
  const path = (home: string) => `${mergeRequestsPath(home)}/${encodeURIComponent(iid)}/edit`;
  const { project, session } = await requireProject(id, path);
  if (!mayFetch(project.visibility, project.role)) notFound();
  const mergeRequest =
    (await findMergeRequest(systemDeps(), project, readId(iid) ?? notFound())) ?? notFound();
  if (!mayChange(mergeRequest, project.role, session.user)) notFound();
  return {
    project: project.id,
    iid: mergeRequest.iid,
    home: mergeRequestsPath(`${PROJECTS}/${project.id}`),
    draft: { title: mergeRequest.title, description: mergeRequest.description },
    version: textVersion(mergeRequest),
  };
}

/**
 * Returns a digest of the title and the description. The edit form contains this digest, so that the form
 * cannot overwrite a later change by another user.
 */
export const textVersion = ({ title, description }: Pick<MergeRequest, "title" | "description">): string =>
  createHash("sha256")
    .update(JSON.stringify([title, description]))
    .digest("base64url");
