import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import { deleteRunner, pauseRunner, resetRunnerToken } from "../actions";
import type { RunnersPage, ShownRunner } from "../loaders";
import { type ContactStatus, contactStatus, type RunnerKind } from "../rules";
import { TokenReset, TokenResetForm } from "./runner-token-reset";

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

/** Shows runners, each with its buttons, and the new token of a runner whose token was just reset. */
export function RunnerRows({ place, runners, now }: Pick<RunnersPage, "place" | "runners" | "now">) {
  return (
    <TokenReset action={resetRunnerToken}>
      <Rows>
        {runners.map((runner) => (
          <Row key={runner.id}>
            <Description runner={runner} now={now} />
            {runner.isManaged ? <Actions place={place} runner={runner} /> : null}
          </Row>
        ))}
      </Rows>
    </TokenReset>
  );
}

const nameOf = ({ id, description }: ShownRunner): string =>
  description === "" ? `Runner ${id}` : description;

function Description({ runner, now }: { readonly runner: ShownRunner; readonly now: Date }) {
  const status = contactStatus(runner.contactedAt, now);
  return (
    <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 md:flex-nowrap">
        <span className="font-semibold">#{runner.id}</span>
        <OneLine text={nameOf(runner)} className="max-md:line-clamp-3" />
        <Badge>{KINDS[runner.kind]}</Badge>
        {runner.paused ? <Badge>paused</Badge> : null}
        {runner.locked ? <Badge>locked</Badge> : null}
        {runner.accessLevel === "ref_protected" ? <Badge>protected</Badge> : null}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 md:flex-nowrap">
        <p className="shrink-0 text-muted text-small">
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
          <ul
            aria-label="Tags"
            title={runner.tags.join(", ")}
            className="flex min-w-0 flex-wrap gap-1 md:block md:truncate"
          >
            {runner.tags.map((tag) => (
              <li key={tag} className="min-w-0 md:mr-1 md:inline-block md:max-w-32 md:align-bottom">
                <Badge wraps>
                  <OneLine text={tag} />
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
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

function Actions({ place, runner }: { readonly place: Place; readonly runner: ShownRunner }) {
  return (
    <div className="flex flex-wrap gap-2">
      <form action={pauseRunner}>
        <Hidden place={place} runner={runner} />
        <input type="hidden" name="paused" value={runner.paused ? "false" : "true"} />
        <Button size="small" aria-label={`${runner.paused ? "Resume" : "Pause"} runner ${runner.id}`}>
          {runner.paused ? "Resume" : "Pause"}
        </Button>
      </form>
      <Confirm
        id={`reset-token-${runner.id}`}
        kind="plain"
        size="small"
        summary="Reset token"
        title={`Reset the token of runner ${runner.id}?`}
        question="The current token stops working immediately. Enter the new token in the configuration of the runner."
      >
        <TokenResetForm>
          <Hidden place={place} runner={runner} />
          <Button kind="danger">Reset the token of runner {runner.id}</Button>
        </TokenResetForm>
      </Confirm>
      <Confirm
        id={`delete-runner-${runner.id}`}
        size="small"
        summary="Delete"
        title={`Delete runner ${runner.id}?`}
        question="The token of the runner stops working immediately. You cannot undo the deletion."
      >
        <form action={deleteRunner}>
          <Hidden place={place} runner={runner} />
          <Button kind="danger">Delete runner {runner.id}</Button>
        </form>
      </Confirm>
    </div>
  );
}
