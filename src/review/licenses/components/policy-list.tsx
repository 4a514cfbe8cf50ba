import { visibleName } from "@/kernel/text/visible";
import { Badge } from "@/ui/badge";
import { Button, ButtonLink } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { isolated } from "@/ui/isolated";
import { removePolicy } from "../actions";
import type { LicenseLists, LicensePolicy } from "../rules";

type Location = Readonly<{ project: number; path: string; mayEdit: boolean }>;

/**
 * The license approval policies of a project. For maintainers, each policy has buttons that edit and delete
 * the policy.
 */
export const PolicyList = ({
  policies,
  ...location
}: Location & { readonly policies: readonly LicensePolicy[] }) => (
  <ul className="divide-y divide-line rounded-card border border-line bg-panel">
    {policies.map((policy) => (
      <PolicyRow key={policy.id} policy={policy} {...location} />
    ))}
  </ul>
);

function PolicyRow({ policy, project, path, mayEdit }: Location & { readonly policy: LicensePolicy }) {
  const name = visibleName(policy.name);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4">
      <div className="grid min-w-48 flex-1 gap-1">
        <h2 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
          <bdi className="wrap-anywhere">{name}</bdi>
          {policy.enabled ? null : <Badge>Not enforced</Badge>}
        </h2>
        {policy.description === "" ? null : (
          <p className="text-muted text-small wrap-anywhere" dir="auto">
            {visibleName(policy.description)}
          </p>
        )}
        <LicenseNames lists={policy} />
        <p className="text-muted text-small">{approvalsText(policy.approvalsRequired)}</p>
      </div>
      {mayEdit ? (
        <div className="flex flex-wrap gap-2">
          <ButtonLink size="small" href={`${path}/${policy.id}`}>
            Edit<span className="sr-only"> {name}</span>
          </ButtonLink>
          <Confirm
            id={`delete-policy-${policy.id}`}
            size="small"
            summary="Delete"
            title={`Delete ${isolated(name)}?`}
            question="This policy will no longer be enforced on merge requests. You cannot undo the deletion."
          >
            <form action={removePolicy}>
              <input type="hidden" name="project" value={project} />
              <input type="hidden" name="policy_id" value={policy.id} />
              <Button kind="danger">Delete this policy</Button>
            </form>
          </Confirm>
        </div>
      ) : null}
    </li>
  );
}

const NAMES_SHOWN = 12;

/** Shows the licenses that a policy denies, and the licenses that it allows. */
export function LicenseNames({ lists: { denyList, allowList } }: { readonly lists: LicenseLists }) {
  const lists = [
    { label: "Denied", names: denyList },
    { label: "Allowed", names: allowList },
  ].filter(({ names }) => names.length > 0);
  return (
    <dl className="grid gap-1 text-small">
      {lists.map(({ label, names }) => (
        <div key={label} className="flex gap-2">
          <dt className="w-16 shrink-0 text-muted">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {names.slice(0, NAMES_SHOWN).map((name, at) => (
              <span key={name}>
                {at === 0 ? "" : ", "}
                <bdi>{visibleName(name)}</bdi>
              </span>
            ))}
            {names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const approvalsText = (approvals: number): string => {
  if (approvals === 0) return "Approvals cannot permit a violation.";
  return `${approvals} ${approvals === 1 ? "approval permits" : "approvals permit"} a violation.`;
};
