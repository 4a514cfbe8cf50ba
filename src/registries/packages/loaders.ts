import { notFound } from "next/navigation";
import { mayFetch, mayPush } from "@/access/code";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, textOf } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { openProject, PROJECTS } from "@/workspace/projects/loaders";
import { listPackages } from "./service";

const PACKAGES_SHOWN = 20;
const SEARCH_CHARACTERS_MAX = 100;

const packagesPath = (home: string): string => `${home}/packages`;

/**
 * Loads a page of the packages of a project, newest first. The page "not found" is shown to users who may not
 * read the source code of the project.
 */
export async function loadPackages(id: string, query: Query) {
  const { project } = await openProject(id, packagesPath);
  if (!mayFetch(project.visibility, project.role)) notFound();
  const deps = systemDeps();
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const paging = offsetPagingIn(query, PACKAGES_SHOWN);
  const result = await listPackages(
    deps,
    project,
    { name: search || undefined, version: undefined, type: undefined, order: "created_at", descending: true },
    paging,
  );
  const home = packagesPath(`${PROJECTS}/${project.id}`);
  const file = `${deps.config.issuer}/api/v4/projects/${project.id}/packages/generic/tool/1.0.0/tool.tgz`;
  return {
    home,
    search,
    packages: result.rows,
    pager: offsetLinks(paging, result, home, { search }),
    publishLine: mayPush(project.role)
      ? `curl --fail --header "PRIVATE-TOKEN: $TOKEN" --upload-file tool.tgz ${file}`
      : null,
    downloadLine: `curl --fail --header "PRIVATE-TOKEN: $TOKEN" --remote-name ${file}`,
    now: deps.clock(),
  };
}
