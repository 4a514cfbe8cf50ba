import type { Metadata } from "next";
import { reaches } from "@/access/roles";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { changeProject, removeProject } from "@/workspace/projects/actions";
import { DeleteForm, ProjectSettingsForm } from "@/workspace/projects/components/project-settings";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { requireProject } from "@/workspace/projects/loaders";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Project settings" };

export default orNotFound(async function ProjectSettingsPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const settings = (home: string) => `${home}/settings`;
  const { project } = await requireProject((await props.params).id, settings, "maintainer");
  const { id, name, path, fullPath, description, visibility } = project;
  return (
    <>
      <PageHead title="Settings" about="Name, description and visibility of the project." />
      <SettingsTabs id={id} current="General" />
      <ProjectSettingsForm
        action={changeProject}
        id={id}
        draft={{ name, path, description, visibility }}
        inGroup={project.namespace.kind === "group"}
      />
      {reaches(project.role, "owner") ? (
        <Card
          title="Delete this project"
          about="Deletes the repository, merge requests, packages, errors and members of the project. This cannot be undone."
        >
          <DeleteForm action={removeProject} id={id} fullPath={fullPath} kind="project" />
        </Card>
      ) : null}
    </>
  );
});
