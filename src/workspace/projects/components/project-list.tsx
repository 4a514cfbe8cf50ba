import { ROLES } from "@/access/roles";
import { Avatar } from "@/ui/avatar";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { WithAvatar } from "@/ui/with-avatar";
import { VisibilityBadge } from "../../naming/components/visibility";
import type { ProjectRow } from "../loaders";

const COLUMNS: readonly Column[] = [
  { name: "Project", width: "rest" },
  { name: "Visibility" },
  { name: "Your role" },
  { name: "Last activity" },
];

/** A table of projects. Each row shows the role of the viewer. */
export function ProjectTable(props: {
  readonly caption: string;
  readonly projects: readonly ProjectRow[];
  readonly now: Date;
}) {
  const rows = props.projects.map((project) => ({
    key: project.id,
    cells: [
      <Identity key="name" project={project} />,
      <span key="visibility">
        <VisibilityBadge visibility={project.visibility} />
      </span>,
      <span key="role" className="text-muted">
        {project.role === null ? "None" : ROLES[project.role].label}
      </span>,
      <span key="active" className="text-muted md:whitespace-nowrap">
        <Ago at={project.lastActivityAt} now={props.now} />
      </span>,
    ],
  }));
  return <Table caption={props.caption} columns={COLUMNS} rows={rows} />;
}

const Identity = ({ project }: { readonly project: ProjectRow }) => (
  <WithAvatar avatar={<Avatar name={project.name} kind="group" seed={project.fullPath} />}>
    <a href={`/projects/${project.id}`} className="font-semibold">
      <OneLine text={project.name} className="max-md:line-clamp-3" />
    </a>
    <OneLine text={project.fullPath} className="text-muted text-small" />
  </WithAvatar>
);
