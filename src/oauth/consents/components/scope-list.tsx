import { SCOPE_RISKS, SCOPES, type Scope, type ScopeRisk } from "@/access/scopes";

/** The name of each risk level, and the filled fraction of the circle that represents the level. */
const RISKS: Readonly<Record<ScopeRisk, Readonly<{ name: string; part: number }>>> = {
  sign_in: { name: "Know you", part: 0 },
  read: { name: "Read", part: 0.25 },
  write: { name: "Change", part: 0.5 },
  full: { name: "Everything", part: 1 },
};

/** Describes scopes, grouped by risk from lowest to highest. */
export function ScopeList({ scopes }: { readonly scopes: readonly Scope[] }) {
  const groups = SCOPE_RISKS.map((risk) => ({
    risk,
    members: scopes.filter((scope) => SCOPES[scope].risk === risk),
  })).filter(({ members }) => members.length > 0);
  return (
    <div className="divide-y divide-line rounded-group border border-line">
      {groups.map(({ risk, members }) => (
        <section key={risk} aria-label={RISKS[risk].name}>
          {groups.length === 1 ? null : (
            <h3 className="px-4 pt-3 text-small text-muted">{RISKS[risk].name}</h3>
          )}
          <ul>
            {members.map((scope) => (
              <li key={scope} className="flex gap-3 px-4 py-3">
                <RiskMark part={RISKS[risk].part} />
                <div className="min-w-0">
                  <p className="font-semibold">{SCOPES[scope].label}</p>
                  <p className="text-small text-muted">{SCOPES[scope].detail}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Shows the risk of a scope as a circle. The circle is decorative, because the text has the same meaning. */
function RiskMark({ part }: { readonly part: number }) {
  const length = 2 * Math.PI * 3;
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
      className="mt-1 shrink-0 text-accent"
    >
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" />
      <circle
        cx="8"
        cy="8"
        r="3"
        stroke="currentColor"
        strokeWidth="6"
        strokeDasharray={`${part * length} ${length}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}
