import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { EmptyState } from "@/ui/empty-state";
import { Pager } from "@/ui/pager";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { deleteRunner, pauseRunner } from "../actions";
import type { RunnersPage, ShownRunner } from "../loaders";
import { type ContactStatus, contactStatus, type RunnerKind } from "../rules";

const KINDS: Readonly<Record<RunnerKind, string>> = {
  instance_type: "instance",
  group_type: "group",
  project_type: "project",
};

const STATUSES: Readonly<Record<ContactStatus, string>> = {
  online: "Online",
  offline: "Offline",
  not_connected: "Never connected",
};

type Place = RunnersPage["place"];

/** A link to the form of a new runner. */
export const CreateRunner = ({ url }: Pick<RunnersPage, "url">) => (
  <ButtonLink kind="primary" href={`${url}/new`}>
    Create runner
  </ButtonLink>
);

/** Shows runners, each with the buttons that pause, resume and delete the runner. */
export function RunnerList({ place, runners, pager, now }: RunnersPage) {
  if (runners.length === 0 && pager.previous === null)
    return (
      <EmptyState title="No runners are available">
        A runner is a program that executes jobs. Create a runner here, and then start the program with the
        token of the new runner.
      </EmptyState>
    );
  return (
    <>
      <Rows>
        {runners.map((runner) => (
          <Row key={runner.id}>
            <Description runner={runner} now={now} />
            {runner.isManaged ? <Actions place={place} runner={runner} /> : null}
          </Row>
        ))}
      </Rows>
      <Pager {...pager} />
    </>
  );
}

const nameOf = ({ id, description }: ShownRunner): string =>
  description === "" ? `Runner ${id}` : description;

function Description({ runner, now }: { readonly runner: ShownRunner; readonly now: Date }) {
  const status = contactStatus(runner.contactedAt, now);
  return (
    <div className="grid min-w-48 flex-1 gap-0.5 md:gap-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">#{runner.id}</span>
        <bdi className="line-clamp-3 min-w-0 wrap-anywhere">{nameOf(runner)}</bdi>
        <Badge>{KINDS[runner.kind]}</Badge>
        {runner.paused ? <Badge>paused</Badge> : null}
        {runner.locked ? <Badge>locked</Badge> : null}
        {runner.accessLevel === "ref_protected" ? <Badge>protected</Badge> : null}
      </p>
      <p className="text-muted text-small">
        {STATUSES[status]}
        {runner.contactedAt === null ? null : (
          <>
            {" "}
            · last contact <Ago at={runner.contactedAt} now={now} />
          </>
        )}
        {runner.version === null ? null : <> · version {runner.version}</>}
      </p>
      {runner.tags.length === 0 ? null : (
        <ul aria-label="Tags" className="flex flex-wrap gap-1">
          {runner.tags.map((tag) => (
            <li key={tag} className="min-w-0">
              <Badge wraps>{tag}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const Hidden = ({ place, runner }: { readonly place: Place; readonly runner: ShownRunner }) => (
  <>
    <input type="hidden" name="kind" value={place.kind} />
    <input type="hidden" name="place" value={place.id} />
    <input type="hidden" name="runner_id" value={runner.id} />
  </>
);

function Actions(props: { readonly place: Place; readonly runner: ShownRunner }) {
  const { runner } = props;
  return (
    <div className="flex flex-wrap gap-2">
      <form action={pauseRunner}>
        <Hidden {...props} />
        <input type="hidden" name="paused" value={runner.paused ? "false" : "true"} />
        <Button size="small" aria-label={`${runner.paused ? "Resume" : "Pause"} runner ${runner.id}`}>
          {runner.paused ? "Resume" : "Pause"}
        </Button>
      </form>
      <Confirm
        id={`delete-runner-${runner.id}`}
        size="small"
        summary="Delete"
        title={`Delete runner ${runner.id}?`}
        question="The token of the runner stops working immediately. You cannot undo the deletion."
      >
        <form action={deleteRunner}>
          <Hidden {...props} />
          <Button kind="danger">Delete runner {runner.id}</Button>
        </form>
      </Confirm>
    </div>
  );
}
