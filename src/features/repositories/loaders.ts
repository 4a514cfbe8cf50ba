import { systemDeps } from "@/platform/deps";
import type { AuthorizedProject } from "../projects/rules";
import { defaultBranch } from "./reference";
import { FIRST_BRANCH, mayFetch, mayPush } from "./rules";

/** What the page of a project says of its repository. */
export type RepositorySummary = Readonly<{
  cloneUrl: string;
  /** Lines that put something into an empty repository; null for one that is not empty, and for who may not push. */
  firstPush: string | null;
  isEmpty: boolean;
}>;

/** Null for who may not read the code. */
export async function loadRepository(project: AuthorizedProject): Promise<RepositorySummary | null> {
  if (!mayFetch(project.visibility, project.role)) return null;
  const { config, log } = systemDeps();
  const cloneUrl = `${config.issuer}/${project.fullPath}.git`;
  const branch = await defaultBranch({ config }, project).catch((cause: unknown) => {
    log.error({ event: "repository.not_read", project_id: project.id, cause: String(cause) });
    return null;
  });
  const isEmpty = branch === null;
  return { cloneUrl, isEmpty, firstPush: isEmpty && mayPush(project.role) ? firstPush(cloneUrl) : null };
}

const firstPush = (cloneUrl: string): string =>
  `cd your-folder
git init --initial-branch=${FIRST_BRANCH}
git add .
git commit --message "Begin"
git remote add origin ${cloneUrl}
git push --set-upstream origin ${FIRST_BRANCH}`;
