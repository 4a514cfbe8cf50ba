import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** A list is read from the database each time that it is asked for; any other field only from what has been read. */
const LIST_COST = 25;
const LISTS: ReadonlySet<string> = new Set(["runner", "runners", "runnerUpdate", "runnerDelete"]);

const COST_MAX = 250;
const DEPTH_MAX = 15;

type Measure = Readonly<{ cost: number; depth: number }>;

/**
 * What is too much about an operation, in words; null when nothing is. Fragments count wherever they are used.
 * @param document validated before, so that no fragment leads to itself.
 */
export function excess(document: DocumentNode, operation: OperationDefinitionNode): string | null {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const { cost, depth } = measured(operation.selectionSet, fragments, new Map());
  if (depth > DEPTH_MAX) return `Query has depth of ${depth}, which exceeds max depth of ${DEPTH_MAX}`;
  return cost > COST_MAX
    ? `Query has complexity of ${cost}, which exceeds max complexity of ${COST_MAX}`
    : null;
}

/** Each fragment is measured once: what fragments of fragments add up to would take for ever to walk through. */
function measured(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  known: Map<string, Measure>,
): Measure {
  let cost = 0;
  let depth = 0;
  for (const selection of selections) {
    const inner = (set: SelectionSetNode | undefined): Measure =>
      set === undefined ? { cost: 0, depth: 0 } : measured(set, fragments, known);
    let found: Measure;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      found = known.get(name) ?? inner(fragments.get(name)?.selectionSet);
      known.set(name, found);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) found = inner(selection.selectionSet);
    else {
      const name = selection.name.value;
      const below = inner(selection.selectionSet);
      found = { cost: below.cost + (LISTS.has(name) ? LIST_COST : 1), depth: below.depth + 1 };
    }
    cost += found.cost;
    depth = Math.max(depth, found.depth);
  }
  return { cost, depth };
}
