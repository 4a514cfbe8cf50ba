import type { Metadata } from "next";
import type { ReactNode } from "react";
import { mayFetch } from "@/access/code";
import { reaches } from "@/access/roles";
import { showsImages } from "@/registries/container-registry/loaders";
import { ProjectTrail } from "@/workspace/projects/components/project-trail";
import { visibleProject } from "@/workspace/projects/loaders";
import { Frame } from "../../frame";
import { titlesWithin } from "../../titles";

type Params = Promise<{ readonly id: string }>;

/** Adds the name of the project to the titles of its pages, so that users can distinguish the tabs of a browser. */
export async function generateMetadata({ params }: { readonly params: Params }): Promise<Metadata> {
  const visible = await visibleProject((await params).id);
  return visible === null ? {} : titlesWithin(visible.project.name);
}

/**
 * The frame of the pages of a project. The layout does not check access, because each page checks the access
 * itself.
 */
export default async function ProjectLayout(props: {
  readonly params: Params;
  readonly children: ReactNode;
}) {
  const visible = await visibleProject((await props.params).id);
  if (visible === null) return <Frame>{props.children}</Frame>;
  const { project, session } = visible;
  const home = `/projects/${project.id}`;
  const items = [
    { label: "Overview", href: home, icon: "overview" } as const,
    ...(mayFetch(project.visibility, project.role)
      ? [...code(home), { label: "Packages", href: `${home}/packages`, icon: "package" } as const]
      : []),
    ...(showsImages(project)
      ? [{ label: "Images", href: `${home}/container_registry`, icon: "image" } as const]
      : []),
    ...(reaches(project.role, "reporter")
      ? [{ label: "Errors", href: `${home}/errors`, icon: "error" } as const]
      : []),
    ...(session === null ? [] : [{ label: "Members", href: `${home}/members`, icon: "users" } as const]),
    ...(reaches(project.role, "maintainer")
      ? [{ label: "Settings", href: `${home}/settings`, icon: "settings" } as const]
      : []),
  ];
  return (
    <Frame side={{ label: "Project", items }}>
      <ProjectTrail project={project} />
      {props.children}
    </Frame>
  );
}

const code = (home: string) => [
  { label: "Code", href: `${home}/tree`, also: [`${home}/file`, `${home}/commits`], icon: "code" } as const,
  { label: "Merge requests", href: `${home}/merge_requests`, icon: "merge_request" } as const,
];
