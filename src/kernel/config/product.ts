import packageFile from "../../../package.json";

/** The name of the product on its pages. */
export const PRODUCT_NAME = "Gatehouse";

/** Returns the content of `<title>` for a page. */
export const documentTitle = (title: string): string => `${title} · ${PRODUCT_NAME}`;

/** The version of this release. */
export const PRODUCT_VERSION: string = packageFile.version;
