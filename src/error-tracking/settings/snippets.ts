/** Lines to paste: what they are for, and the lines. */
export type Snippet = Readonly<{ label: string; code: string }>;

const ENVIRONMENT = `environment: "production",`;

/**
 * How a program reports its errors to an address.
 * @param dsn of an active client key.
 */
export function reportingSnippets(dsn: string): readonly Snippet[] {
  const init = (library: string) => `import * as Sentry from "${library}";

Sentry.init({
  dsn: "${dsn}",
  ${ENVIRONMENT}
});`;
  return [
    { label: "Node: npm install @sentry/node", code: init("@sentry/node") },
    { label: "Browser: npm install @sentry/browser", code: init("@sentry/browser") },
    { label: "Try it from a terminal", code: trial(new URL(dsn)) },
  ];
}

/** One error by plain HTTP, for whom wants to see one arrive. */
function trial(dsn: URL): string {
  const project = dsn.pathname.split("/").at(-1) ?? "";
  const collector = `${dsn.protocol}//${dsn.host}${dsn.pathname.slice(0, -project.length)}`;
  return `curl "${collector}api/${project}/store/?sentry_key=${dsn.username}" \\
  --json '{"exception": {"values": [{"type": "Error", "value": "A first error"}]}}'`;
}
