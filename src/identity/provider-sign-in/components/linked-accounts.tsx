import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { OneLine } from "@/ui/one-line";
import type { Section } from "@/ui/section-nav";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { ProviderButtons } from "../../sign-in/components/provider-buttons";
import { LINKED_ACCOUNTS_PATH } from "../link-page";
import type { LinkedAccounts } from "../loaders";

const COLUMNS: readonly Column[] = [
  { name: "Account", width: "rest" },
  { name: "Linked" },
  { name: "Last sign-in" },
  { name: "Unlink", silent: true },
];

const LINKED_ACCOUNTS_SECTION: Section = { id: "section-linked", label: "Linked accounts" };

const isShown = ({ accounts, linkable }: LinkedAccounts): boolean => accounts.length + linkable.length > 0;

/** Returns the section of the linked accounts; empty if there are no providers and no linked accounts. */
export const linkedAccountsSections = (linked: LinkedAccounts): readonly Section[] =>
  isShown(linked) ? [LINKED_ACCOUNTS_SECTION] : [];

/**
 * Shows the linked accounts of the signed-in user. If there are no providers and no linked accounts, the
 * component shows nothing.
 */
export function LinkedAccountsCard(props: {
  readonly linked: LinkedAccounts;
  readonly unlink: (form: FormData) => Promise<void>;
  readonly now: Date;
}) {
  const { accounts, linkable, csrfToken } = props.linked;
  if (!isShown(props.linked)) return null;
  return (
    <Card
      id={LINKED_ACCOUNTS_SECTION.id}
      title={LINKED_ACCOUNTS_SECTION.label}
      about="You can sign in with a linked account instead of your password."
    >
      {accounts.length === 0 ? null : (
        <Table
          caption="Your linked accounts"
          columns={COLUMNS}
          rows={accounts.map(({ id, label, account, usable, createdAt, lastUsedAt }) => ({
            key: id,
            cells: [
              <span key="account" className="grid min-w-0">
                <span className="flex flex-wrap items-center gap-x-2 md:flex-nowrap">
                  <OneLine text={label} className="font-semibold" />
                  {usable ? null : <Badge>not available</Badge>}
                </span>
                <OneLine text={account} className="text-small text-muted" />
              </span>,
              <Ago key="linked" at={createdAt} now={props.now} />,
              lastUsedAt === null ? "Never" : <Ago key="used" at={lastUsedAt} now={props.now} />,
              <Confirm
                key="unlink"
                id={`unlink-${id}`}
                size="small"
                summary="Unlink"
                title={`Unlink the account at ${label}?`}
                question={`You can no longer sign in with ${account} at ${label}, and you lose the roles that ${label} gave you.`}
              >
                <form action={props.unlink}>
                  <input type="hidden" name="id" value={id} />
                  <Button kind="danger" className="whitespace-normal! wrap-anywhere">
                    Unlink {label}
                  </Button>
                </form>
              </Confirm>,
            ],
          }))}
        />
      )}
      <ProviderButtons
        providers={linkable}
        verb="Link"
        fields={{ intent: "link", form_token: csrfToken, return_to: LINKED_ACCOUNTS_PATH }}
      />
    </Card>
  );
}
