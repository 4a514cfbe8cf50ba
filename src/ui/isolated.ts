/** A name that people chose, in a text where no `<bdi>` can stand: its direction does not turn the text around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
