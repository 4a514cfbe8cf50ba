import { describeUserAgent } from "@/kernel/http/user-agent";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Ago } from "@/ui/time";
import type { LiveGrant } from "../../tokens/live-grants";

const WAYS: Readonly<Record<LiveGrant["way"], string>> = {
  browser: "Allowed in the browser",
  device: "Allowed by the code of a device",
  password: "Given for your name and password",
};

/** What still works, and on which device: each can be revoked by itself. */
export function GrantList(props: {
  readonly grants: readonly LiveGrant[];
  readonly now: Date;
  readonly revoke: (form: FormData) => Promise<void>;
  /** The page to come back to, when it is one application's: its id, or `none`. */
  readonly page?: string;
}) {
  return (
    <ul className="divide-y divide-line rounded-group border border-line">
      {props.grants.map((grant) => (
        <li key={grant.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
          <div className="grid min-w-40 flex-1">
            <p className="font-semibold wrap-anywhere">{deviceOf(grant)}</p>
            <p className="text-small wrap-anywhere text-muted">
              {WAYS[grant.way]} <Ago at={grant.createdAt} now={props.now} />
              {" · "}
              <LastUse grant={grant} now={props.now} />
            </p>
          </div>
          <Confirm
            id={`revoke-${grant.id}`}
            size="small"
            summary="Revoke"
            title={`Revoke ${describeUserAgent(grant.userAgent)}?`}
            question="Its token stops working at once, here and there. Other devices go on working."
          >
            <form action={props.revoke}>
              <input type="hidden" name="id" value={grant.id} />
              {props.page === undefined ? null : (
                <input type="hidden" name="application" value={props.page} />
              )}
              <Button kind="danger">Revoke this one</Button>
            </form>
          </Confirm>
        </li>
      ))}
    </ul>
  );
}

const deviceOf = ({ userAgent }: LiveGrant): string =>
  userAgent === "" ? "A program that did not say what it is" : describeUserAgent(userAgent);

function LastUse({ grant, now }: { readonly grant: LiveGrant; readonly now: Date }) {
  if (grant.lastUsedAt === null) return "not used yet";
  return (
    <>
      last used <Ago at={grant.lastUsedAt} now={now} />
      {grant.ipAddress === "" || grant.ipAddress === "unknown" ? null : ` from ${grant.ipAddress}`}
    </>
  );
}
