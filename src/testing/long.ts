/** How often a property or a race is tried: a short run in `npm test`, a long one in `npm run test:long`. */
export const runs = ({ short, long }: Readonly<{ short: number; long: number }>): number =>
  process.env["GATEHOUSE_TEST_LONG"] === "1" ? long : short;
