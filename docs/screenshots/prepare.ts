import { prepare } from "../../scripts/prepare.mjs";

/** The pictures show what is in the checkout, so it is built first. */
export default (): Promise<unknown> => prepare({ pages: true, packages: "development" });
