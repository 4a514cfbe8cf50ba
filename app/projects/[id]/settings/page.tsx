import type { Metadata } from "next";
import { reaches } from "@/access/roles";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { changeProject, removeProject } from "@/workspace/projects/actions";
import { ProjectSettingsForm, RemoveForm } from "@/workspace/projects/components/project-settings";
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
      <PageHead title="Settings" about="What the project is called, and who sees it." />
      <SettingsTabs id={id} current="General" />
      <ProjectSettingsForm
        action={changeProject}
        id={id}
        draft={{ name, path, description, visibility }}
        inGroup={project.namespace.kind === "group"}
      />
      {reaches(project.role, "owner") ? (
        <Card
          title="Remove this project"
          about="Its errors, its client keys and its members' roles go with it. This cannot be undone."
        >
          <RemoveForm action={removeProject} id={id} fullPath={fullPath} thing="project" />
        </Card>
      ) : null}
    </>
  );
});
