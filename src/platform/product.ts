import packageFile from "../../package.json";

/** The version of the product, as it is released. */
export const PRODUCT_VERSION: string = packageFile.version;
