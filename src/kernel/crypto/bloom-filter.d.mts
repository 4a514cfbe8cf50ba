export function bloomFilterOf(texts: ReadonlySet<string>, bitsPerText: number): Uint8Array;
export function bloomFilterHas(filter: Uint8Array, text: string): boolean;
