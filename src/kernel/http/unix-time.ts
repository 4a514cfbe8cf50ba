/** Returns a time in whole seconds since 1970, as in tokens and their responses (RFC 7519 §2, NumericDate). */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
