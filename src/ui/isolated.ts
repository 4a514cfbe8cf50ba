/** Isolates the direction of a user-chosen name in a text that cannot contain `<bdi>`. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
