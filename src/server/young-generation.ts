import { setFlagsFromString } from "node:v8";

/**
 * Sets the factor by which V8 grows the young generation of the heap. V8 reads the factor at each growth; its default
 * is two, and one prevents growth.
 */
const setGrowthFactor = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

/**
 * Prevents growth of the young generation until the returned function is called. Loading the modules of the server
 * would otherwise grow it to its maximum, and V8 does not shrink it while the server is idle. Without the growth, an
 * idle server needs about 25 MB less, and its start takes 3 % more processor time.
 */
export function keepYoungGenerationSmall(): () => void {
  setGrowthFactor(1);
  return () => setGrowthFactor(2);
}
