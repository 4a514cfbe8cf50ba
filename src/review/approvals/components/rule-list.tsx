import { Fragment, type ReactNode } from "react";
import { visibleName } from "@/code/repositories/shown-text";
import { Button, ButtonLink } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { removeRule } from "../actions";
import type { ShownRule } from "../rule-editing";

type Place = Readonly<{ project: number; home: string }>;

/** The rules of a project: how many approvals of whom, and what can be done about each. */
export function RuleList({ rules, ...place }: Place & { readonly rules: readonly ShownRule[] }) {
  if (rules.length === 0)
    return <p className="text-muted">There is none, so anybody who may approve gives the approvals.</p>;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {rules.map((shown) => (
        <RuleRow key={shown.rule.id} shown={shown} {...place} />
      ))}
    </ul>
  );
}

function RuleRow({ shown, project, home }: Place & { readonly shown: ShownRule }) {
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
              ? "Nobody of them may approve: name people who are developers or above."
              : `Only ${shown.eligible.length} of them may approve: name more people who are developers or above.`}
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink size="small" href={`${home}/rules/${id}`}>
          Change<span className="sr-only"> {visible}</span>
        </ButtonLink>
        <Confirm
          id={`remove-rule-${id}`}
          size="small"
          summary="Remove"
          title={`Remove ${visible}?`}
          question="Merge requests do not need its approvals any more. This cannot be undone."
        >
          <form action={removeRule}>
            <input type="hidden" name="project" value={project} />
            <input type="hidden" name="rule_id" value={id} />
            <Button kind="danger">Remove this rule</Button>
          </form>
        </Confirm>
      </div>
    </li>
  );
}

const wordsFor = (approvals: number): string => {
  if (approvals === 0) return "No approval needed, of";
  return approvals === 1 ? "1 approval of" : `${approvals} approvals of`;
};

/** The people and the groups of a rule; the members of a group may approve in its place. */
export function Approvers({ users, groups, hasHiddenGroups }: ShownRule) {
  const parts: readonly ReactNode[] = [
    ...users.map(({ username }) => `@${username}`),
    ...groups.map(({ id, fullPath }) => (
      <>
        members of <a href={`/groups/${id}/members`}>{fullPath}</a>
      </>
    )),
    ...(hasHiddenGroups ? ["members of a group that you do not see"] : []),
  ];
  if (parts.length === 0) return <>nobody</>;
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order.
    <Fragment key={at}>
      {at === 0 ? "" : ", "}
      {part}
    </Fragment>
  ));
}
