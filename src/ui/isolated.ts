/**
 * Returns a name that a user has chosen, with Unicode characters that isolate its text direction. Use this
 * function in texts that cannot contain `<bdi>`.
 */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
