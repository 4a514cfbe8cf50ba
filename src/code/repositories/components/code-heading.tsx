import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { SelectField } from "@/ui/field";
import { Tabs } from "@/ui/tabs";
import { type CodePlace, codePageUrl } from "../code-url";
import type { CodeHead } from "../loaders";
import { visibleName } from "../shown-text";

type At = "tree" | "file" | "commits";

/** The heading of a page that shows code: tabs, the branch or tag, and the path. */
export function CodeHeading({ head, at }: { readonly head: CodeHead; readonly at: At }) {
  const { place } = head;
  const tab = (label: string, to: "tree" | "commits") => ({
    label,
    href: codePageUrl(to, { ...place, path: "" }),
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

/** The choice of a branch or tag, which is part of the URL. */
function References({ head, at }: { readonly head: CodeHead; readonly at: At }) {
  const { place, main, names } = head;
  const current = place.ref || (main ?? "");
  // If a branch and a tag have the same name, the name selects the branch, and the full reference selects the tag.
  const tags = names.tags.map((name) => ({
    name,
    value: names.branches.includes(name) ? `refs/tags/${name}` : name,
  }));
  const isNamed = names.branches.includes(current) || tags.some(({ value }) => value === current);
  return (
    <form action={codePageUrl(at, { ...place, ref: "", path: "" })} className="flex items-end gap-3">
      {place.path === "" ? null : <input type="hidden" name="path" value={place.path} />}
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

/** The breadcrumbs: the folders of the path. */
function Trail({ head: { place, root }, at }: { readonly head: CodeHead; readonly at: At }) {
  if (place.path === "" && at !== "tree") return null;
  const names = place.path === "" ? [] : place.path.split("/");
  const steps = [root, ...names].map((name, depth) => ({ name, path: names.slice(0, depth).join("/") }));
  return (
    <nav aria-label="Folders">
      <ol className="flex flex-wrap gap-x-2 font-semibold">
        {steps.map(({ name, path }, depth) => (
          <li key={path} className="flex min-w-0 gap-x-2">
            <Step place={{ ...place, path }} name={name} isHere={depth === steps.length - 1} />
            {depth === steps.length - 1 ? null : <span aria-hidden="true">/</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step(props: { readonly place: CodePlace; readonly name: string; readonly isHere: boolean }) {
  const name = <bdi className="wrap-anywhere">{visibleName(props.name)}</bdi>;
  if (props.isHere) return <span aria-current="page">{name}</span>;
  return (
    <a href={codePageUrl("tree", props.place)} className="min-w-0">
      {name}
    </a>
  );
}

/** The empty state of a repository without commits. */
export function EmptyRepository({ head }: { readonly head: CodeHead }) {
  return (
    <EmptyState
      title="The repository is empty"
      action={<a href={`/projects/${head.place.project}`}>Show instructions</a>}
    >
      Push to it to see its files, its commits and the changes of each commit here.
    </EmptyState>
  );
}
