import { ROLES } from "@/access/roles";
import { Button } from "@/ui/button";
import { Table } from "@/ui/table";
import { Ago, Until } from "@/ui/time";
import type { Invitation } from "../rules";

type Action = (form: FormData) => Promise<void>;

const COLUMNS = [
  { name: "E-mail address" },
  { name: "Sent" },
  { name: "Link" },
  { name: "Actions", silent: true },
];

/** The pending invitations to a project, a group or the instance. */
export function InvitationList(props: {
  readonly invitations: readonly Invitation[];
  /** The hidden form fields that identify the project or group. */
  readonly fields: Readonly<Record<string, string | number>>;
  readonly resend: Action;
  readonly revoke: Action;
  readonly now: Date;
}) {
  const { now } = props;
  const form = (action: Action, id: number, label: string) => (
    <form action={action}>
      {Object.entries(props.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="invitation_id" value={id} />
      <Button size="small">{label}</Button>
    </form>
  );
  const rows = props.invitations.map((invitation) => ({
    key: invitation.id,
    cells: [
      <span key="email" className="grid min-w-0">
        <bdi className="font-semibold wrap-anywhere">{invitation.email}</bdi>
        <span className="text-small text-muted wrap-anywhere">
          {invitation.role === null ? "" : `${ROLES[invitation.role].label}, `}invited by{" "}
          <bdi>{invitation.invitedByName}</bdi>
        </span>
      </span>,
      <Ago key="sent" at={invitation.sentAt} now={now} />,
      <span key="expires">
        {invitation.expiresAt <= now ? "Expired" : <Until at={invitation.expiresAt} now={now} />}
      </span>,
      <span key="actions" className="flex flex-wrap gap-2">
        {form(props.resend, invitation.id, "Send again")}
        {form(props.revoke, invitation.id, "Revoke")}
      </span>,
    ],
  }));
  return <Table caption="Pending invitations" columns={COLUMNS} rows={rows} />;
}
