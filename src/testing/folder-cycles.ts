import { posix } from "node:path";

/** An import: the path of the importing file and the path of the imported file. */
export type Import = readonly [from: string, to: string];

/** Returns the folder of a file. A folder `components` counts as part of its parent. */
const folderOf = (path: string): string => posix.dirname(path).replace(/\/components(?:\/.*)?$/, "");

/**
 * Returns the cycles of imports between folders, at every level of `src`. In the graph of a folder, all files
 * directly in the folder are one node, and each subfolder is another node.
 * @returns each cycle once, as a list of its folders.
 */
export function folderCycles(imports: readonly Import[]): readonly string[] {
  const cycles = new Set<string>();
  for (const [parent, edges] of importsByLevel(imports))
    for (const cycle of cyclesIn(edges))
      cycles.add(cycle.map((child) => (child === "." ? parent : `${parent}/${child}`)).join(", "));
  return [...cycles].toSorted();
}

type Edges = Map<string, Set<string>>;

/** Returns the imports between the children of each folder; `.` means the files directly in the folder. */
function importsByLevel(imports: readonly Import[]): ReadonlyMap<string, Edges> {
  const levels = new Map<string, Edges>();
  for (const [from, to] of imports) {
    const source = folderOf(from).split("/");
    const target = folderOf(to).split("/");
    const shared = source.findIndex((name, at) => name !== target[at]);
    const depth = shared === -1 ? source.length : shared;
    if (depth === 0 || source.join("/") === target.join("/")) continue;
    const parent = source.slice(0, depth).join("/");
    const edges = levels.get(parent) ?? new Map<string, Set<string>>();
    const child = source[depth] ?? ".";
    levels.set(parent, edges.set(child, (edges.get(child) ?? new Set()).add(target[depth] ?? ".")));
  }
  return levels;
}

/**
 * Returns the strongly connected components with more than one node (Tarjan, 1972), each in alphabetical
 * order.
 */
function cyclesIn(edges: Edges): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const stack: string[] = [];
  const indexes = new Map<string, number>();
  const visit = (node: string): number => {
    const index = indexes.size;
    let low = index;
    indexes.set(node, index);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      const nextIndex = indexes.get(next);
      if (nextIndex === undefined) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, nextIndex);
    }
    if (low === index) {
      const component = stack.splice(stack.indexOf(node));
      if (component.length > 1) cycles.push(component.toSorted());
    }
    return low;
  };
  for (const node of edges.keys()) if (!indexes.has(node)) visit(node);
  return cycles;
}
