const CHARACTERS_MAX = 200;

/** Returns a `User-Agent` header in the stored form: printable ASCII of limited length. */
export const keptUserAgent = (header: string | null): string =>
  (header ?? "")
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, CHARACTERS_MAX);

/**
 * The browsers in the order in which the function searches for their names. The order matters, because a
 * browser also names other browsers in its `User-Agent` header, for compatibility.
 */
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

/**
 * Returns a description of a `User-Agent` header for users, such as `acme-cli/2.1 · Linux`. The client
 * chooses its `User-Agent` header, so the description is not verified.
 */
export function describeUserAgent(userAgent: string): string {
  const browser = /^Mozilla\//.test(userAgent)
    ? BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
    : undefined;
  const product = browser ?? /^[^\s(;]{1,40}/.exec(userAgent)?.[0];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const words = [product, system].filter((word) => word !== undefined);
  return words.length === 0 ? "an unknown program" : words.join(" · ");
}

/** Returns a description of the browser with a stored `User-Agent` header, which may be empty. */
export const describeBrowser = (userAgent: string): string =>
  userAgent === "" ? "Unknown browser" : describeUserAgent(userAgent);
