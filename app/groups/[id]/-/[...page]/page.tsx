import type { Query } from "@/kernel/http/query";
import { followGitlabGroupUrl } from "@/workspace/groups/loaders";
import { orNotFound } from "../../../../or-not-found";

type Props = {
  readonly params: Promise<{ readonly id: string; readonly page: readonly string[] }>;
  readonly searchParams: Promise<Query>;
};

/**
 * Redirects a GitLab URL that contains `/-/` after the path of a group to the page of this server with the
 * same content.
 */
export default orNotFound(async ({ params, searchParams }: Props) => {
  const { id, page } = await params;
  return followGitlabGroupUrl(id, page, await searchParams);
});
