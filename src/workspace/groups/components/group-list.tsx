import { ROLES, type Role } from "@/access/roles";
import { Avatar } from "@/ui/avatar";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { type Column, Table } from "@/ui/table";
import { WithAvatar } from "@/ui/with-avatar";
import { VisibilityBadge } from "../../naming/components/visibility";
import type { Group } from "../rules";

const COLUMNS: readonly Column[] = [
  { name: "Group", width: "rest" },
  { name: "Visibility" },
  { name: "Your role" },
];

/** A table of groups. Each row shows the role of the viewer. */
export function GroupTable(props: {
  readonly groups: readonly Group[];
  readonly roles: ReadonlyMap<number, Role>;
}) {
  const rows = props.groups.map((group) => {
    const role = props.roles.get(group.id);
    return {
      key: group.id,
      cells: [
        <GroupName key="name" group={group} />,
        <span key="visibility">
          <VisibilityBadge visibility={group.visibility} />
        </span>,
        <span key="role" className="text-muted">
          {role === undefined ? "None" : ROLES[role].label}
        </span>,
      ],
    };
  });
  return <Table caption="Groups" columns={COLUMNS} rows={rows} />;
}

const GroupName = ({ group }: { readonly group: Group }) => (
  <WithAvatar avatar={<Avatar name={group.name} kind="group" seed={group.fullPath} />}>
    <a href={`/groups/${group.id}`} className="font-semibold">
      <OneLine text={group.name} className="max-md:line-clamp-3" />
    </a>
    <OneLine text={group.fullPath} className="text-muted text-small" />
  </WithAvatar>
);

/** The list of the direct subgroups of a group. */
export const Subgroups = ({ groups }: { readonly groups: readonly Group[] }) => (
  <Rows>
    {groups.map((group) => (
      <Row key={group.id}>
        <div className="min-w-48 flex-1">
          <GroupName group={group} />
        </div>
        <VisibilityBadge visibility={group.visibility} />
      </Row>
    ))}
  </Rows>
);
