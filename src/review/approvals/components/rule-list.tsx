import { Fragment, type ReactNode } from "react";
import { visibleName } from "@/kernel/text/visible";
import { Button, ButtonLink } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { removeRule } from "../actions";
import type { ShownRule } from "../rule-editing";

type Location = Readonly<{ project: number; home: string }>;

/** The approval rules of a project, each with buttons that edit and delete the rule. */
export function RuleList({ rules, ...location }: Location & { readonly rules: readonly ShownRule[] }) {
  if (rules.length === 0)
    return (
      <p className="text-muted">
        There are no approval rules. Members with the Developer role or higher can approve.
      </p>
    );
  return (
    <ul className="divide-y divide-line border-line border-t">
      {rules.map((shown) => (
        <RuleRow key={shown.rule.id} shown={shown} {...location} />
      ))}
    </ul>
  );
}

function RuleRow({ shown, project, home }: Location & { readonly shown: ShownRule }) {
  const { id, name, approvalsRequired } = shown.rule;
  const visible = visibleName(name);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4 last:pb-0">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <h3 className="font-semibold wrap-anywhere">
          <bdi>{visible}</bdi>
        </h3>
        <p className="text-muted text-small wrap-anywhere">
          {wordsFor(approvalsRequired)} <Approvers {...shown} />
        </p>
        {shown.eligible.length < approvalsRequired ? (
          <p className="text-danger text-small">
            {shown.eligible.length === 0
              ? "None of these users can approve. Add users with the Developer role or higher."
              : `Only ${shown.eligible.length} of these users can approve. Add more users with the Developer role or higher.`}
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink size="small" href={`${home}/rules/${id}`}>
          Edit<span className="sr-only"> {visible}</span>
        </ButtonLink>
        <Confirm
          id={`remove-rule-${id}`}
          size="small"
          summary="Delete"
          title={`Delete ${visible}?`}
          question="Merge requests will no longer need the approvals of this rule. You cannot undo the deletion."
        >
          <form action={removeRule}>
            <input type="hidden" name="project" value={project} />
            <input type="hidden" name="rule_id" value={id} />
            <Button kind="danger">Delete this rule</Button>
          </form>
        </Confirm>
      </div>
    </li>
  );
}

const wordsFor = (approvals: number): string => {
  if (approvals === 0) return "Optional approvals by";
  return approvals === 1 ? "1 approval by" : `${approvals} approvals by`;
};

/** The users and groups who can approve under a rule. */
export function Approvers({ users, groups, hasHiddenGroups }: ShownRule) {
  const parts: readonly ReactNode[] = [
    ...users.map(({ username }) => `@${username}`),
    ...groups.map(({ id, fullPath }) => (
      <>
        members of <a href={`/groups/${id}/members`}>{fullPath}</a>
      </>
    )),
    ...(hasHiddenGroups ? ["members of a group that is hidden from you"] : []),
  ];
  if (parts.length === 0) return <>nobody</>;
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order.
    <Fragment key={at}>
      {at === 0 ? "" : ", "}
      {part}
    </Fragment>
  ));
}
