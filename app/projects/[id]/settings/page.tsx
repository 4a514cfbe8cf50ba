import type { Metadata } from "next";
import { Card } from "@/ui/card";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";
import { changeProject, removeProject, transferProject } from "@/workspace/projects/actions";
import {
  DeleteForm,
  ProjectSettingsForm,
  TransferForm,
} from "@/workspace/projects/components/project-settings";
import { SettingsTabs } from "@/workspace/projects/components/settings-tabs";
import { loadProjectSettings } from "@/workspace/projects/loaders";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Project settings" };

export default orNotFound(async function ProjectSettingsPage(props: {
  readonly params: Promise<{ readonly id: string }>;
}) {
  const { project, targets } = await loadProjectSettings((await props.params).id);
  const { id, name, path, fullPath, description, visibility } = project;
  return (
    <StaticMarkup>
      <PageHead title="Settings" about="Name, description and visibility of the project." />
      <SettingsTabs id={id} current="General" />
      <ProjectSettingsForm
        action={changeProject}
        id={id}
        draft={{ name, path, description, visibility }}
        inGroup={project.namespace.kind === "group"}
      />
      {targets === null ? null : (
        <>
          <Card
            title="Transfer this project"
            about="The path of the project changes: update the URLs of clones and packages afterwards. The repository, merge requests, packages and members stay. Webhooks, deploy tokens and project runners also stay, including those that a maintainer of the old group created. Remove the webhooks, deploy tokens and runners that must not access the project. If the new group has a lower visibility than the project, the project gets the visibility of the new group. A project with container images cannot be transferred."
          >
            <TransferForm action={transferProject} id={id} targets={targets} />
          </Card>
          <Card
            danger
            title="Delete this project"
            about="Deletes the repository, merge requests, packages, errors and members of the project. You cannot undo the deletion."
          >
            <DeleteForm action={removeProject} id={id} fullPath={fullPath} kind="project" />
          </Card>
        </>
      )}
    </StaticMarkup>
  );
});
