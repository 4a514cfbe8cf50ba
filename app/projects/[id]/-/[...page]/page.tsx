import { followGitlabUrl } from "@/code/repositories/loaders";
import type { Query } from "@/kernel/http/query";
import { orNotFound } from "../../../../or-not-found";

type Props = {
  readonly params: Promise<{ readonly id: string; readonly page: readonly string[] }>;
  readonly searchParams: Promise<Query>;
};

/**
 * Redirects a GitLab URL that contains `/-/` after the path of a project to the page of this server with the
 * same content.
 */
export default orNotFound(async ({ params, searchParams }: Props) => {
  const { id, page } = await params;
  return followGitlabUrl(id, page, await searchParams);
});
