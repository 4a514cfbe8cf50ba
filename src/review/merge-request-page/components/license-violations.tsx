import { visibleName } from "@/code/repositories/shown-text";
import type { OpenViolation } from "../../licenses/enforcement";

const VIOLATIONS_SHOWN = 20;
const PACKAGES_SHOWN = 5;

/** Which licenses a merge request brings in against the policies of its project, by what, and what each waits for. */
export function LicenseViolations({ violations }: { readonly violations: readonly OpenViolation[] }) {
  if (violations.length === 0) return null;
  const more = violations.length - VIOLATIONS_SHOWN;
  return (
    <ul aria-label="Licenses" className="grid gap-2 text-small wrap-anywhere">
      {violations.slice(0, VIOLATIONS_SHOWN).map((violation) => (
        <li key={`${violation.policy.id} ${violation.license}`}>
          <Violation {...violation} />
        </li>
      ))}
      {more > 0 ? <li>And {more.toLocaleString("en")} more.</li> : null}
    </ul>
  );
}

function Violation({ policy, license, packages, count, approvalsLeft }: OpenViolation) {
  const things = <PackageNames names={packages} count={count} />;
  return (
    <>
      {license === null ? (
        <>Nobody can tell the licenses in {things}.</>
      ) : (
        <>
          <bdi className="font-semibold">{visibleName(license)}</bdi> of {things}.
        </>
      )}{" "}
      <span className="text-muted">
        The policy <bdi>{visibleName(policy.name)}</bdi> {wordsFor(approvalsLeft)}
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

const wordsFor = (approvalsLeft: number | null): string => {
  if (approvalsLeft === null) return "does not let that in.";
  return `waits for ${approvalsLeft} more ${approvalsLeft === 1 ? "approval" : "approvals"}.`;
};
