/** A part of one of two compared texts, and whether the part differs from the other text. */
export type Stretch = Readonly<{ text: string; differs: boolean }>;

/** Two texts, each split into the parts that are equal and the parts that differ. */
export type Difference = Readonly<{ requested: readonly Stretch[]; registered: readonly Stretch[] }>;

/**
 * The limit for a comparison by character: the maximum product of the lengths of the two texts without their
 * common prefix and suffix.
 */
const PAIRS_MAX = 250_000;

/**
 * Returns the differences between the requested URI and the most similar registered URI.
 * @returns null when no URI is registered.
 */
export function nearestDifference(requested: string, registered: readonly string[]): Difference | null {
  const ranked = registered
    .map((uri) => ({ uri, away: distance(requested, uri) }))
    .toSorted((a, b) => a.away - b.away);
  const nearest = ranked[0];
  return nearest === undefined ? null : differenceOf(requested, nearest.uri);
}

/**
 * Returns the distance between two texts: the length of the longer text without the common prefix and suffix.
 */
function distance(a: string, b: string): number {
  const { start, end } = common(a, b);
  return Math.max(a.length, b.length) - start - end;
}

/**
 * Returns the length of the common prefix of two texts, and the length of the common suffix of the texts
 * after this prefix.
 */
function common(a: string, b: string): Readonly<{ start: number; end: number }> {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}

function differenceOf(requested: string, registered: string): Difference {
  const { start, end } = common(requested, registered);
  const middle = (text: string) => text.slice(start, text.length - end);
  const [a, b] = [middle(requested), middle(registered)];
  const shared = a.length * b.length > PAIRS_MAX ? NOTHING_SHARED : sharedOf(a, b);
  const whole = (text: string, inMiddle: readonly boolean[]): readonly Stretch[] =>
    stretches(text, (at) => at < start || at >= text.length - end || inMiddle[at - start] === true);
  return { requested: whole(requested, shared.a), registered: whole(registered, shared.b) };
}

type Shared = Readonly<{ a: readonly boolean[]; b: readonly boolean[] }>;
const NOTHING_SHARED: Shared = { a: [], b: [] };

/** Marks the characters of each text that belong to the longest common subsequence. */
function sharedOf(a: string, b: string): Shared {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const shared = { a: new Array<boolean>(a.length).fill(false), b: new Array<boolean>(b.length).fill(false) };
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) {
      shared.a[i++] = true;
      shared.b[j++] = true;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return shared;
}

/** Splits a text into runs of shared characters and runs of different characters. */
function stretches(text: string, isShared: (at: number) => boolean): readonly Stretch[] {
  const parts: { text: string; differs: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const differs = !isShared(at);
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text[at];
    else parts.push({ text: text[at] ?? "", differs });
  }
  return parts;
}
