/**
 * Returns a name that a user has chosen, with Unicode characters that isolate its text direction. Use this
 * function for texts that cannot contain the element `<bdi>`, such as the title of a dialog.
 */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
