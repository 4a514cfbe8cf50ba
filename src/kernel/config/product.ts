import packageFile from "../../../package.json";

/** The name that the product has on its pages. */
export const PRODUCT_NAME = "Gatehouse";

/** The content of `<title>` on the page with this title. */
export const documentTitle = (title: string): string => `${title} · ${PRODUCT_NAME}`;

/** The version of the product, as it is released. */
export const PRODUCT_VERSION: string = packageFile.version;
