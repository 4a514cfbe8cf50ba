import { prepare } from "../../scripts/prepare.mjs";

/** Builds the checkout, so that the screenshots show the current state of the code. */
export default (): Promise<unknown> => prepare({ pages: true, packages: "development" });
