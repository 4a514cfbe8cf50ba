import type { Application } from "./rules";

/**
 * A code snippet or a configuration for a common client. The snippet contains no secret. The user adds the
 * client secret.
 */
export type Snippet = Readonly<{ id: string; title: string; about: string; code: string }>;

/** The values that the code snippets of an application contain. */
export type Facts = Readonly<{
  issuer: string;
  uid: string;
  redirectUri: string;
  scope: string;
  application: Application;
}>;

/** The import statement of snippets that read the secret from an environment variable. */
export const IMPORT_ENV = `import { env } from "node:process";
`;

/** Returns a text as a string literal that is valid in JavaScript, Python, Go and Ruby. */
export const literal = (text: string): string => JSON.stringify(text);
