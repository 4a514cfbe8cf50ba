import { describeUserAgent } from "@/kernel/http/user-agent";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import type { LiveGrant } from "../../tokens/live-grants";

const WAYS: Readonly<Record<LiveGrant["way"], string>> = {
  browser: "Allowed in a browser",
  device: "Allowed with a device code",
  password: "Issued for your password",
};

/** Lists active grants with their devices. Each grant has a button that revokes the grant. */
export function GrantList(props: {
  readonly grants: readonly LiveGrant[];
  readonly now: Date;
  readonly revoke: (form: FormData) => Promise<void>;
  /**
   * Selects the page to which the action redirects: the id of an application for the page of this
   * application, or `none` for the page of the tokens without an application.
   */
  readonly page?: string;
}) {
  return (
    <Rows nested>
      {props.grants.map((grant) => (
        <Row key={grant.id}>
          <div className="grid min-w-40 flex-1 grid-cols-[minmax(0,1fr)]">
            <OneLine text={deviceOf(grant)} className="font-semibold" />
            <p className="flex flex-wrap gap-x-1 text-small text-muted md:flex-nowrap">
              <span className="md:shrink-0">
                {WAYS[grant.way]} <Ago at={grant.createdAt} now={props.now} />
                {" · "}
                <LastUse grant={grant} now={props.now} />
              </span>{" "}
              {hasIpAddress(grant) ? <OneLine text={`from ${grant.ipAddress}`} /> : null}
            </p>
          </div>
          <Confirm
            id={`revoke-${grant.id}`}
            size="small"
            summary="Revoke"
            title={`Revoke ${describeUserAgent(grant.userAgent)}?`}
            question="This token stops working immediately. Tokens on other devices keep working."
          >
            <form action={props.revoke}>
              <input type="hidden" name="id" value={grant.id} />
              {props.page === undefined ? null : (
                <input type="hidden" name="application" value={props.page} />
              )}
              <Button kind="danger">Revoke this token</Button>
            </form>
          </Confirm>
        </Row>
      ))}
    </Rows>
  );
}

const deviceOf = ({ userAgent }: LiveGrant): string =>
  userAgent === "" ? "Unknown program" : describeUserAgent(userAgent);

const hasIpAddress = ({ lastUsedAt, ipAddress }: LiveGrant): boolean =>
  lastUsedAt !== null && ipAddress !== "" && ipAddress !== "unknown";

function LastUse({ grant, now }: { readonly grant: LiveGrant; readonly now: Date }) {
  if (grant.lastUsedAt === null) return "not used yet";
  return (
    <>
      last used <Ago at={grant.lastUsedAt} now={now} />
    </>
  );
}
