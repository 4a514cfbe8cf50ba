import { ROLES } from "@/access/roles";
import { Button } from "@/ui/button";
import { isolated } from "@/ui/isolated";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago, Until } from "@/ui/time";
import type { Invitation } from "../rules";

type Action = (form: FormData) => Promise<void>;

const COLUMNS: readonly Column[] = [
  { name: "E-mail address", width: "rest" },
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
      <Identity key="email" invitation={invitation} />,
      <Ago key="sent" at={invitation.sentAt} now={now} />,
      <span key="expires">
        {invitation.expiresAt <= now ? "Expired" : <Until at={invitation.expiresAt} now={now} />}
      </span>,
      <span key="actions" className="flex flex-wrap gap-2 lg:flex-nowrap">
        {form(props.resend, invitation.id, "Send again")}
        {form(props.revoke, invitation.id, "Revoke")}
      </span>,
    ],
  }));
  return <Table caption="Pending invitations" columns={COLUMNS} rows={rows} />;
}

function Identity({ invitation: { email, role, invitedByName } }: { readonly invitation: Invitation }) {
  const invited = `${role === null ? "" : `${ROLES[role].label}, `}invited by`;
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <OneLine text={email} className="font-semibold" />
      <OneLine text={`${invited} ${isolated(invitedByName)}`} className="text-small text-muted">
        {invited} <bdi>{invitedByName}</bdi>
      </OneLine>
    </span>
  );
}
