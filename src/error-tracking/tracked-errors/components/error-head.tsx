import { Button, type ButtonKind } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import { changeStatus } from "../actions";
import type { ErrorStatus } from "../rules";
import type { ErrorDetails } from "../service";
import { LevelBadge, RegressedBadge, StatusBadge } from "./error-badges";

type Step = Readonly<{ to: ErrorStatus; label: string; kind: ButtonKind }>;

/** The actions that are available for each status of a tracked error. */
const STEPS: Readonly<Record<ErrorStatus, readonly Step[]>> = {
  unresolved: [
    { to: "ignored", label: "Ignore", kind: "plain" },
    { to: "resolved", label: "Resolve", kind: "primary" },
  ],
  resolved: [{ to: "unresolved", label: "Reopen", kind: "plain" }],
  ignored: [
    { to: "unresolved", label: "Reopen", kind: "plain" },
    { to: "resolved", label: "Resolve", kind: "plain" },
  ],
};

/** The name of a tracked error and the buttons that change its status. */
export function ErrorHead(props: {
  readonly error: ErrorDetails;
  readonly projectId: number;
  readonly mayChangeStatus: boolean;
  readonly now: Date;
}) {
  const { error, projectId, mayChangeStatus } = props;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid min-w-60 flex-1 gap-2">
          <h1 className="font-semibold text-title wrap-anywhere">
            <bdi>{error.name}</bdi>
          </h1>
          <p className="flex flex-wrap gap-2">
            <StatusBadge status={error.status} />
            <LevelBadge level={error.level} />
            {error.regressedAt === null ? null : <RegressedBadge />}
          </p>
        </div>
        {mayChangeStatus ? (
          <form action={changeStatus} className="flex flex-wrap gap-3">
            <input type="hidden" name="project" value={projectId} />
            <input type="hidden" name="error" value={error.id} />
            {STEPS[error.status].map(({ to, label, kind }) => (
              <Button key={to} name="status" value={to} kind={kind}>
                {label}
              </Button>
            ))}
          </form>
        ) : null}
      </div>
      {error.regressedAt === null ? null : (
        <Notice kind="warning">
          This error was resolved and occurred again <Ago at={error.regressedAt} now={props.now} />.
        </Notice>
      )}
      {error.message === "" || error.message === error.name ? null : (
        <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
          {error.message}
        </p>
      )}
      {error.culprit === "" ? null : <code className="text-muted text-small break-all">{error.culprit}</code>}
    </div>
  );
}
