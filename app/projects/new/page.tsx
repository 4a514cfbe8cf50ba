import type { Metadata } from "next";
import { createProject } from "@/features/projects/actions";
import { NewProjectForm } from "@/features/projects/components/new-project-form";
import { loadNewProject } from "@/features/projects/loaders";
import type { Query } from "@/platform/keyset";
import { PageHead } from "@/ui/page-shell";
import { Frame } from "../../frame";
import { PROJECT_PLACES } from "../places";

export const metadata: Metadata = { title: "New project" };

export default async function NewProjectPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { username, groups, group } = await loadNewProject(await searchParams);
  return (
    <Frame side={PROJECT_PLACES}>
      <PageHead title="New project" />
      <NewProjectForm
        action={createProject}
        username={username}
        groups={groups.map(({ id, fullPath }) => ({ id, fullPath }))}
        group={group}
      />
    </Frame>
  );
}
