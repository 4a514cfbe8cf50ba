import { visibleName } from "@/kernel/text/visible";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { unprotectBranch } from "../actions";
import { ACCESS_LEVEL_LABELS, type ProtectedBranch } from "../rules";

/** The list of protected branches. Each row shows the rule and has a button that unprotects the branch. */
export function ProtectedBranchList(props: {
  readonly project: number;
  readonly rules: readonly ProtectedBranch[];
}) {
  if (props.rules.length === 0)
    return (
      <p className="text-muted">
        No branches are protected. Developers can push to, force-push to and delete every branch.
      </p>
    );
  return (
    <ul className="divide-y divide-line border-line border-t">
      {props.rules.map((rule) => (
        <RuleRow key={rule.id} project={props.project} rule={rule} />
      ))}
    </ul>
  );
}

function RuleRow({ project, rule }: { readonly project: number; readonly rule: ProtectedBranch }) {
  const { id, name, pushAccessLevel, mergeAccessLevel, allowForcePush } = rule;
  const visible = visibleName(name);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4 last:pb-0">
      <div className="grid min-w-64 flex-1 gap-0.5">
        <h3 className="font-mono font-semibold wrap-anywhere">
          <bdi>{visible}</bdi>
        </h3>
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 text-muted text-small">
          <dt>Merge</dt>
          <dd>{ACCESS_LEVEL_LABELS[mergeAccessLevel]}</dd>
          <dt>Push and merge</dt>
          <dd>{ACCESS_LEVEL_LABELS[pushAccessLevel]}</dd>
          <dt>Force push</dt>
          <dd>{allowForcePush ? "Allowed" : "Not allowed"}</dd>
        </dl>
      </div>
      <Confirm
        id={`unprotect-${id}`}
        size="small"
        summary="Unprotect"
        title={`Unprotect ${visible}?`}
        question="Developers will be able to push to the branch without a merge request, to force-push to the branch and to delete the branch."
      >
        <form action={unprotectBranch}>
          <input type="hidden" name="project" value={project} />
          <input type="hidden" name="name" value={name} />
          <Button kind="danger">Unprotect {visible}</Button>
        </form>
      </Confirm>
    </li>
  );
}
