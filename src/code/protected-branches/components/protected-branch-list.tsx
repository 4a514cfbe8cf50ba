import { visibleName } from "@/kernel/text/visible";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
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
    <Rows nested>
      {props.rules.map((rule) => (
        <RuleRow key={rule.id} project={props.project} rule={rule} />
      ))}
    </Rows>
  );
}

function RuleRow({ project, rule }: { readonly project: number; readonly rule: ProtectedBranch }) {
  const { id, name, pushAccessLevel, mergeAccessLevel, allowForcePush } = rule;
  const visible = visibleName(name);
  return (
    <Row>
      <div className="grid min-w-64 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
        <h3 className="font-mono font-semibold">
          <OneLine text={visible} />
        </h3>
        <dl className="flex flex-wrap gap-x-4 text-muted text-small">
          <Setting name="Merge" value={ACCESS_LEVEL_LABELS[mergeAccessLevel]} />
          <Setting name="Push and merge" value={ACCESS_LEVEL_LABELS[pushAccessLevel]} />
          <Setting name="Force push" value={allowForcePush ? "Allowed" : "Not allowed"} />
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
    </Row>
  );
}

const Setting = (props: { readonly name: string; readonly value: string }) => (
  <div className="flex gap-1">
    <dt>{props.name}:</dt>
    <dd>{props.value}</dd>
  </div>
);
