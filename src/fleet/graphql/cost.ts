import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/**
 * The cost of a GraphQL field whose resolver reads rows from the database. Every other field is read from a
 * loaded row and has the cost 1.
 */
const LIST_COST = 25;
const LISTS: ReadonlySet<string> = new Set(["runner", "runners", "runnerUpdate", "runnerDelete"]);

const COST_MAX = 250;
const DEPTH_MAX = 15;

type Measure = Readonly<{ cost: number; depth: number }>;

/**
 * Returns an error message if an operation exceeds the limits of depth or complexity, otherwise null. The
 * fields of a fragment are counted each time the operation uses the fragment.
 * @param document a validated document without cyclic fragments.
 */
export function limitExceeded(document: DocumentNode, operation: OperationDefinitionNode): string | null {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const { cost, depth } = measure(operation.selectionSet, fragments, new Map());
  if (depth > DEPTH_MAX) return `Query has depth of ${depth}, which exceeds max depth of ${DEPTH_MAX}`;
  return cost > COST_MAX
    ? `Query has complexity of ${cost}, which exceeds max complexity of ${COST_MAX}`
    : null;
}

/**
 * Measures the depth and the complexity of a selection set. The function measures each fragment only once,
 * because the size of nested fragments can grow exponentially.
 */
function measure(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measures: Map<string, Measure>,
): Measure {
  let cost = 0;
  let depth = 0;
  for (const selection of selections) {
    const inner = (set: SelectionSetNode | undefined): Measure =>
      set === undefined ? { cost: 0, depth: 0 } : measure(set, fragments, measures);
    let measured: Measure;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      measured = measures.get(name) ?? inner(fragments.get(name)?.selectionSet);
      measures.set(name, measured);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) measured = inner(selection.selectionSet);
    else {
      const name = selection.name.value;
      const size = inner(selection.selectionSet);
      measured = { cost: size.cost + (LISTS.has(name) ? LIST_COST : 1), depth: size.depth + 1 };
    }
    cost += measured.cost;
    depth = Math.max(depth, measured.depth);
  }
  return { cost, depth };
}
