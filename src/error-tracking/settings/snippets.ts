/** Sample code that users can copy, with a label. */
export type Snippet = Readonly<{ label: string; code: string }>;

const ENVIRONMENT = `environment: "production",`;

/**
 * Returns sample code that reports errors to a DSN.
 * @param dsn the DSN of an active client key.
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
    { label: "Report a test error from a terminal", code: trial(new URL(dsn)) },
  ];
}

/** A command that reports a sample error over HTTP. */
function trial(dsn: URL): string {
  const project = dsn.pathname.split("/").at(-1) ?? "";
  const collector = `${dsn.protocol}//${dsn.host}${dsn.pathname.slice(0, -project.length)}`;
  return `curl "${collector}api/${project}/store/?sentry_key=${dsn.username}" \\
  --json '{"exception": {"values": [{"type": "Error", "value": "A first error"}]}}'`;
}
