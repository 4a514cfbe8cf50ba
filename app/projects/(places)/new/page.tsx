import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { PageHead } from "@/ui/page-shell";
import { createProject } from "@/workspace/projects/actions";
import { NewProjectForm } from "@/workspace/projects/components/new-project-form";
import { loadNewProject } from "@/workspace/projects/loaders";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "New project" };

export default orNotFound(async function NewProjectPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const { username, groups, group } = await loadNewProject(await searchParams);
  return (
    <>
      <PageHead title="New project" />
      <NewProjectForm
        action={createProject}
        username={username}
        groups={groups.map(({ id, fullPath }) => ({ id, fullPath }))}
        group={group}
      />
    </>
  );
});
