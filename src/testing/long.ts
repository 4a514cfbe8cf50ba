/**
 * The number of runs of a property or a concurrency test: `short` in `npm test`, `long` in `npm run
 * test:long`.
 */
export const runs = ({ short, long }: Readonly<{ short: number; long: number }>): number =>
  process.env["GATEHOUSE_TEST_LONG"] === "1" ? long : short;
