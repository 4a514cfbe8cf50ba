import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Pager } from "@/ui/pager";
import type { RunnersPage } from "../loaders";
import { RunnerRows } from "./runner-rows";

/** A link to the form of a new runner. */
export const CreateRunner = ({ url }: Pick<RunnersPage, "url">) => (
  <ButtonLink kind="primary" href={`${url}/new`}>
    Create runner
  </ButtonLink>
);

/** Shows runners, each with the buttons that pause, resume and delete the runner or reset its token. */
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
      <RunnerRows place={place} runners={runners} now={now} />
      <Pager {...pager} />
    </>
  );
}
