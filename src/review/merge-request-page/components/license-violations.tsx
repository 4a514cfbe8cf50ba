import { visibleName } from "@/kernel/text/visible";
import type { OpenViolation } from "../../licenses/enforcement";

const VIOLATIONS_SHOWN = 20;
const PACKAGES_SHOWN = 5;

/** The license policy violations of a merge request, with the affected packages and the number of missing approvals. */
export function LicenseViolations(props: {
  readonly violations: readonly OpenViolation[];
  /** The URL of the page that lists the license policies; null for a viewer who may not open the page. */
  readonly policiesUrl: string | null;
}) {
  const { violations, policiesUrl } = props;
  if (violations.length === 0) return null;
  const more = violations.length - VIOLATIONS_SHOWN;
  return (
    <>
      <ul aria-label="Licenses" className="grid gap-2 text-small wrap-anywhere">
        {violations.slice(0, VIOLATIONS_SHOWN).map((violation) => (
          <li key={`${violation.policy.id} ${violation.license}`}>
            <Violation {...violation} />
          </li>
        ))}
        {more > 0 ? <li>And {more.toLocaleString("en")} more.</li> : null}
      </ul>
      {policiesUrl === null ? null : (
        <p className="text-small">
          <a href={policiesUrl}>License policies of the project</a>
        </p>
      )}
    </>
  );
}

function Violation({ policy, license, packages, count, approvalsLeft }: OpenViolation) {
  const packageNames = <PackageNames names={packages} count={count} />;
  return (
    <>
      {license === null ? (
        <>The licenses in {packageNames} could not be read.</>
      ) : (
        <>
          <bdi className="font-semibold">{visibleName(license)}</bdi> in {packageNames}.
        </>
      )}{" "}
      <span className="text-muted">
        The policy <bdi>{visibleName(policy.name)}</bdi> {requirementText(approvalsLeft)}
      </span>
    </>
  );
}

const PackageNames = ({ names, count }: { readonly names: readonly string[]; readonly count: number }) => {
  const shown = names.slice(0, PACKAGES_SHOWN);
  return (
    <>
      {shown.map((name, at) => (
        <span key={name}>
          {at === 0 ? "" : ", "}
          <bdi>{visibleName(name)}</bdi>
        </span>
      ))}
      {count > shown.length ? ` and ${(count - shown.length).toLocaleString("en")} more` : null}
    </>
  );
};

const requirementText = (approvalsLeft: number | null): string => {
  if (approvalsLeft === null) return "does not permit the merge.";
  return `requires ${approvalsLeft} more ${approvalsLeft === 1 ? "approval" : "approvals"}.`;
};
