import { setFlagsFromString } from "node:v8";

/**
 * Sets the factor by which V8 grows the young generation of the heap. V8 reads the factor at each growth; the
 * default factor is 2, and the factor 1 prevents growth.
 */
const setGrowthFactor = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/**
 * Prevents growth of the young generation until the returned function is called. Otherwise, V8 would grow the
 * young generation to its maximum while the modules of the server are loaded. V8 does not shrink the young
 * generation while the server is idle. Without the growth, an idle server needs about 25 MB less, and its
 * start takes 3 % more processor time.
 */
export function keepYoungGenerationSmall(): () => void {
  setGrowthFactor(1);
  return () => setGrowthFactor(2);
}
