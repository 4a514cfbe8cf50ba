import { prepare } from "../../scripts/prepare.mjs";

/** Builds the checkout, so that the screenshots show its current state. */
export default (): Promise<unknown> => prepare({ pages: true, packages: "development" });
