export function renewed(
  document: string,
  specs: ReadonlyMap<string, string>,
): { document: string; problems: readonly string[] };
export function readSpecs(): ReadonlyMap<string, string>;
