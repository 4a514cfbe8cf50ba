/**
 * The schemes that are never allowed as a form target, even if a client has registered a URL with such a
 * scheme. A URL with one of the listed schemes runs code or contains its own content.
 */
const NEVER: ReadonlySet<string> = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "blob:",
  "file:",
  "filesystem:",
  "about:",
  "urn:",
]);

/** Formats directives with their sources as a `Content-Security-Policy` header (CSP 3 §2.2). */
const policyOf = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");

const formAction = (target: string | null): string => (target === null ? "'self'" : `'self' ${target}`);

/**
 * Returns the policy of a page of Next.
 * @param page.nonce the nonce of the scripts and styles of the page.
 * @param page.development true under `next dev`, whose hot reload needs `eval`, inline styles and a socket.
 */
export function contentSecurityPolicy(page: { nonce: string; development?: boolean }): string {
  const { nonce, development = false } = page;
  return policyOf({
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    "font-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": `'self'${development ? " ws:" : ""}`,
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "form-action": formAction(null),
  });
}

/**
 * Returns the policy of a page that is sent as static markup. A static page loads only the stylesheet, the
 * font and images of this server, and runs at most one script.
 * @param page.formTarget a redirect URI to which the form of the page may redirect. The directive
 * `form-action` also applies to redirects after the form was submitted.
 * @param page.nonce the nonce of the only script of the page, if the page has a script.
 */
export function staticPageSecurityPolicy(page: { formTarget?: string | null; nonce?: string }): string {
  const { formTarget, nonce } = page;
  return policyOf({
    "default-src": "'none'",
    "style-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self'",
    ...(nonce !== undefined && { "script-src": `'nonce-${nonce}'` }),
    "form-action": formAction(formTarget ? sourceOf(formTarget) : null),
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  });
}

/**
 * Returns the redirect URI in a return path, such as `/oauth/authorize?client_id=…&redirect_uri=…`; null for any other
 * path.
 */
export function redirectUriIn(returnTo: string): string | null {
  if (!returnTo.startsWith("/") || !URL.canParse(returnTo, "http://localhost")) return null;
  return new URL(returnTo, "http://localhost").searchParams.get("redirect_uri");
}

/**
 * Returns a redirect URI as a CSP source: the origin with its port, or the scheme of a native app (RFC 8252
 * §7.1).
 */
export function sourceOf(redirectUri: string): string | null {
  if (!URL.canParse(redirectUri)) return null;
  const { protocol, origin, hostname } = new URL(redirectUri);
  if (protocol !== "http:" && protocol !== "https:") return schemeSource(protocol);
  // The grammar of a host source has no IPv6 literals, so the scheme is the narrowest source that browsers accept.
  if (hostname.startsWith("[")) return protocol;
  // The host of a URL may contain `*`, `;` and `'`, which have a special meaning in a content security policy.
  return /^[a-z0-9._-]+$/.test(hostname) ? origin : null;
}

const schemeSource = (protocol: string): string | null =>
  NEVER.has(protocol) || !/^[a-z][a-z0-9+.-]*:$/.test(protocol) ? null : protocol;
