import { notFound } from "next/navigation";
import { mayFetch, mayPush } from "@/access/code";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import type { OffsetPaging, Page } from "@/kernel/paging/paging";
import { openProject } from "@/workspace/projects/loaders";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { RegistryUnavailable } from "./images";
import { type ListedRepository, listRepositories } from "./service";

/** Returns whether the user can open the page with the container images of a project. */
export const showsImages = ({ visibility, role }: AuthorizedProject): boolean =>
  systemDeps().config.registry !== null && mayFetch(visibility, role);

const SHOWN = 20;

/**
 * Loads a page of the container images of a project. The page "not found" is shown if the instance has no
 * container registry, or the user may not read the source code.
 */
export async function loadImages(id: string, query: Query) {
  const path = (home: string) => urlWithQuery(`${home}/container_registry`, { page: textOf(query, "page") });
  const { project } = await openProject(id, path);
  const { registry } = systemDeps().config;
  if (registry === null || !showsImages(project)) return notFound();
  const paging = offsetPagingIn(query, SHOWN);
  const images = await listImages(project, paging);
  const url = `/projects/${project.id}/container_registry`;
  return {
    host: registry.url.host,
    path: project.fullPath.toLowerCase(),
    repositories: images.rows,
    mayPush: mayPush(project.role),
    pager: offsetLinks(paging, images, url),
  };
}

/** Returns the container images with their tags, or without tags if the registry is unavailable. */
async function listImages(project: AuthorizedProject, paging: OffsetPaging): Promise<Page<ListedRepository>> {
  const deps = systemDeps();
  const read = (withTags: boolean) => listRepositories(deps, { projectId: project.id }, withTags, paging);
  return read(true).catch((cause: unknown) => {
    if (!(cause instanceof RegistryUnavailable)) throw cause;
    deps.log.warn({ event: "registry.unavailable" }, cause);
    return read(false);
  });
}
