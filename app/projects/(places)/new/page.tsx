import type { Metadata } from "next";
import { createProject } from "@/features/projects/actions";
import { NewProjectForm } from "@/features/projects/components/new-project-form";
import { loadNewProject } from "@/features/projects/loaders";
import type { Query } from "@/platform/keyset";
import { PageHead } from "@/ui/page-shell";
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
