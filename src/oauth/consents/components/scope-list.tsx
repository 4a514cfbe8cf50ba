import { allows, groupScopes, SCOPES, type Scope, type ScopeGroup, scopeWarning } from "@/access/scopes";
import { Badge } from "@/ui/badge";

/**
 * If a list of scopes has at most this number of groups, the page initially shows the explanations of the
 * scopes. In a longer list of scopes, expanded explanations would hide the buttons of the page.
 */
const OPEN_MAX = 2;

type Props = Readonly<{
  scopes: readonly Scope[];
  /** The scopes that the user has already granted to the application. */
  consented: readonly string[];
}>;

/**
 * Lists the access that scopes grant, with the most powerful scope first. Users can expand each row, which
 * then shows the explanation of the scope and the names of the included scopes. Scopes that allow changes
 * have a warning.
 */
export function ScopeList({ scopes, consented }: Props) {
  const groups = groupScopes(scopes);
  const isNew = (scope: Scope): boolean => consented.length > 0 && !allows(consented, scope);
  return (
    <div className="grid gap-2">
      <ul className="divide-y divide-line overflow-hidden rounded-group border border-line">
        {groups.map((group) => (
          <ScopeRow
            key={group.scope}
            group={group}
            isNew={isNew(group.scope)}
            open={groups.length <= OPEN_MAX}
          />
        ))}
      </ul>
      {scopes.some(isNew) ? (
        <p className="text-small text-muted">
          Access marked “new” is requested for the first time. You have already allowed the other access.
        </p>
      ) : null}
    </div>
  );
}

function ScopeRow(props: { readonly group: ScopeGroup; readonly isNew: boolean; readonly open: boolean }) {
  const { scope, included } = props.group;
  const { label, detail } = SCOPES[scope];
  const warning = scopeWarning(scope);
  return (
    <li className={warning === null ? "" : "border-l-4 border-l-danger"}>
      <details open={props.open} className="group">
        <summary className="flex min-h-7 cursor-pointer list-none items-center gap-2 px-3 py-0.5 hover:bg-ground [&::-webkit-details-marker]:hidden">
          <span className="grid min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2 font-semibold leading-snug">
              {label}
              {props.isNew ? <Badge>new</Badge> : null}
            </span>
            {warning === null ? null : <span className="text-danger text-small leading-snug">{warning}</span>}
          </span>
          <Chevron />
        </summary>
        <div className="grid gap-1 px-3 pb-2 text-muted text-small">
          <p>{detail}</p>
          {included.length === 0 ? null : (
            <p>Includes: {included.map((contained) => SCOPES[contained].label).join(" · ")}</p>
          )}
        </div>
      </details>
    </li>
  );
}

/** An arrow, which shows that a row can be expanded, and whether the row is expanded. */
const Chevron = () => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className="shrink-0 text-muted group-open:rotate-180"
  >
    <path d="m6 9 6 6 6-6" />
  </svg>
);
