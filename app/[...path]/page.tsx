import type { Query } from "@/kernel/http/query";
import { followFullPath } from "@/workspace/projects/loaders";
import NotFound from "../not-found";
import { orNotFound } from "../or-not-found";

type Props = {
  readonly params: Promise<{ readonly path: readonly string[] }>;
  readonly searchParams: Promise<Query>;
};

/** The page for every URL that no other route matches. */
export default orNotFound(
  async ({ params, searchParams }: Props) => followFullPath((await params).path, await searchParams),
  NotFound,
);
