const RUNS = 15;

/**
 * How many times more work a larger input is: the quotient of the shortest of some runs of each, since a busy machine
 * makes a run longer and never shorter.
 */
export function growth(work: (size: number) => unknown, from: number, to: number): number {
  const shortest = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // In turns: while the machine is busy, both sizes meet it.
  for (let run = 0; run < RUNS; run++)
    for (const [index, size] of [from, to].entries()) {
      const begin = performance.now();
      work(size);
      shortest[index] = Math.min(shortest[index] ?? 0, performance.now() - begin);
    }
  const [small = 0, large = 0] = shortest;
  return large / small;
}
