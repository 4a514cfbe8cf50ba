import { visibleName } from "@/kernel/text/visible";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { SelectField } from "@/ui/field";
import { Tabs } from "@/ui/tabs";
import { type CodeLocation, codePageUrl } from "../code-url";
import type { CodeHead } from "../loaders";

type At = "tree" | "file" | "commits";

/** The heading of a page that shows source code: the tabs, the selected branch or tag, and the path. */
export function CodeHeading({ head, at }: { readonly head: CodeHead; readonly at: At }) {
  const { location } = head;
  const tab = (label: string, to: "tree" | "commits") => ({
    label,
    href: codePageUrl(to, { ...location, path: "" }),
    current: (at === "commits") === (to === "commits"),
  });
  return (
    <>
      <h1 className="font-semibold text-title">Code</h1>
      {head.isEmpty ? null : (
        <>
          <Tabs label="Code" tabs={[tab("Files", "tree"), tab("Commits", "commits")]} />
          <References head={head} at={at} />
          <Trail head={head} at={at} />
        </>
      )}
    </>
  );
}

/** A select box for the branch or tag. The selected branch or tag is part of the URL. */
function References({ head, at }: { readonly head: CodeHead; readonly at: At }) {
  const { location, main, names } = head;
  const current = location.ref || (main ?? "");
  // If a branch and a tag have the same name, the short name selects the branch, and the full name of the
  // reference selects the tag.
  const tags = names.tags.map((name) => ({
    name,
    value: names.branches.includes(name) ? `refs/tags/${name}` : name,
  }));
  const isNamed = names.branches.includes(current) || tags.some(({ value }) => value === current);
  return (
    <form action={codePageUrl(at, { ...location, ref: "", path: "" })} className="flex items-end gap-3">
      {location.path === "" ? null : <input type="hidden" name="path" value={location.path} />}
      <div className="min-w-0 max-w-80 flex-1">
        <SelectField id="ref" name="ref" label="Branch or tag" defaultValue={current}>
          {isNamed ? null : <option value={current}>{visibleName(current)}</option>}
          <optgroup label="Branches">
            {names.branches.map((name) => (
              <option key={name} value={name}>
                {visibleName(name)}
              </option>
            ))}
          </optgroup>
          {names.tags.length === 0 ? null : (
            <optgroup label="Tags">
              {tags.map(({ name, value }) => (
                <option key={name} value={value}>
                  {visibleName(name)}
                </option>
              ))}
            </optgroup>
          )}
        </SelectField>
      </div>
      <Button>Show</Button>
    </form>
  );
}

/** The breadcrumbs of the path: a link for each folder. */
function Trail({ head: { location, root }, at }: { readonly head: CodeHead; readonly at: At }) {
  if (location.path === "" && at !== "tree") return null;
  const names = location.path === "" ? [] : location.path.split("/");
  const steps = [root, ...names].map((name, depth) => ({ name, path: names.slice(0, depth).join("/") }));
  return (
    <nav aria-label="Folders">
      <ol className="flex flex-wrap gap-x-2 font-semibold">
        {steps.map(({ name, path }, depth) => (
          <li key={path} className="flex min-w-0 gap-x-2">
            <Step location={{ ...location, path }} name={name} isHere={depth === steps.length - 1} />
            {depth === steps.length - 1 ? null : <span aria-hidden="true">/</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step(props: { readonly location: CodeLocation; readonly name: string; readonly isHere: boolean }) {
  const name = <bdi className="wrap-anywhere">{visibleName(props.name)}</bdi>;
  if (props.isHere) return <span aria-current="page">{name}</span>;
  return (
    <a href={codePageUrl("tree", props.location)} className="min-w-0">
      {name}
    </a>
  );
}

/** The empty state of a repository without commits. */
export function EmptyRepository({ head }: { readonly head: CodeHead }) {
  return (
    <EmptyState
      title="The repository is empty"
      action={<a href={`/projects/${head.location.project}`}>Show instructions</a>}
    >
      Push code to the repository to see files, commits and changes here.
    </EmptyState>
  );
}
