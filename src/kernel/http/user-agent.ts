const CHARACTERS_MAX = 200;

/** A `User-Agent` header as it is kept: printable ASCII, and not more than a line of it. */
export const keptUserAgent = (header: string | null): string =>
  (header ?? "")
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, CHARACTERS_MAX);

/** In the order in which they are looked for: a browser names those that it wants to be taken for, too. */
const BROWSERS = [
  [/\bEdg[A-Za-z]*\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/android/i, "Android"],
  [/iphone|ipad|ios\b/i, "iOS"],
  [/windows|win32|win64/i, "Windows"],
  [/mac ?os|macintosh|darwin/i, "macOS"],
  [/cros\b/i, "ChromeOS"],
  [/linux|x11/i, "Linux"],
] as const;

/** What a device said it is, for a person: `acme-cli/2.1 · Linux`. Its own word: nothing proves it. */
export function describeUserAgent(userAgent: string): string {
  const browser = /^Mozilla\//.test(userAgent)
    ? BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
    : undefined;
  const product = browser ?? /^[^\s(;]{1,40}/.exec(userAgent)?.[0];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const words = [product, system].filter((word) => word !== undefined);
  return words.length === 0 ? "a program that does not say what it is" : words.join(" · ");
}
