import { describeBrowser } from "@/kernel/http/user-agent";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import type { OwnSession } from "../own-sessions";

/** The browsers in which the user is signed in. */
export function SessionList(props: {
  readonly sessions: readonly OwnSession[];
  readonly now: Date;
  readonly end: (form: FormData) => Promise<void>;
}) {
  return (
    <Rows>
      {props.sessions.map((session) => (
        <Row key={session.id}>
          <div className="grid min-w-40 flex-1 gap-0.5 md:gap-0">
            <p className="wrap-anywhere">
              <strong>{describeBrowser(session.userAgent)}</strong>{" "}
              {session.current ? <Badge>this browser</Badge> : null}
            </p>
            <p className="text-small wrap-anywhere text-muted">
              Signed in <Ago at={session.createdAt} now={props.now} />
              {session.address === "" || session.address === "unknown" ? null : ` from ${session.address}`}
              {" · last seen "}
              <Ago at={session.lastSeenAt ?? session.createdAt} now={props.now} />
            </p>
          </div>
          {session.current ? null : (
            <Confirm
              id={`end-${session.id}`}
              size="small"
              summary="Sign out"
              title={`Sign out ${session.userAgent === "" ? "that browser" : describeBrowser(session.userAgent)}?`}
              question="That browser must sign in again. Authorized applications keep their access."
            >
              <form action={props.end}>
                <input type="hidden" name="id" value={session.id} />
                <Button kind="danger">Sign out</Button>
              </form>
            </Confirm>
          )}
        </Row>
      ))}
    </Rows>
  );
}

/** A button that ends all other sessions after the user has confirmed the action. */
export function SignOutElsewhere({ action }: { readonly action: () => Promise<void> }) {
  return (
    <Confirm
      id="end-others"
      summary="Sign out everywhere else"
      title="Sign out everywhere else?"
      question="Every other browser must sign in again. Authorized applications keep their access."
    >
      <form action={action}>
        <Button kind="danger">Sign out all other browsers</Button>
      </form>
    </Confirm>
  );
}
