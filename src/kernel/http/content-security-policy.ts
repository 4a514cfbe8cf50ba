/** Formats directives with their sources as a `Content-Security-Policy` header (CSP 3 §2.2). */
const policyOf = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");

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
    "form-action": "'self'",
  });
}

/**
 * Returns the policy of a page that is sent as static markup. A static page loads only the stylesheet, the
 * font and images of this server, and runs at most one script.
 * @param page.formLeaves whether the form of the page leads to a client. The directive `form-action` also applies to
 * every redirect after the form was submitted, and a client may redirect to any site and to any native app. The
 * policy of such a page therefore has no `form-action`.
 * @param page.nonce the nonce of the only script of the page, if the page has a script.
 */
export function staticPageSecurityPolicy(page: { formLeaves?: boolean; nonce?: string }): string {
  const { formLeaves = false, nonce } = page;
  return policyOf({
    "default-src": "'none'",
    "style-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self'",
    ...(nonce !== undefined && { "script-src": `'nonce-${nonce}'` }),
    ...(formLeaves ? {} : { "form-action": "'self'" }),
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
  });
}
