import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fingerprint, stamp } from "../../scripts/prepare-fingerprint.mjs";
import { runProgram, startProgram, untilItAnswers } from "../../scripts/program.mjs";

const NEXT = "node_modules/next/dist/bin/next";
const FOLDER = "e2e/interop/next-app";
const APP = join(dirname(fileURLToPath(import.meta.url)), "next-app");
const COMMON = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };

/** A running Next application, separate from Gatehouse. */
type NextSite = Readonly<{ output: () => string; close: () => Promise<void> }>;

/**
 * Builds the application unless an earlier run has built the same files; the build does not depend on
 * environment variables. The build uses webpack, because Turbopack also searches parent folders for
 * instrumentation and proxy files, and would include those of the project. Raises an Error with the output;
 * `later` receives what ends it early.
 */
export async function buildNextApp(later: (undo: () => unknown) => void): Promise<void> {
  const built = stamp(`${FOLDER}/.next/gatehouse-stamp`);
  const sources = fingerprint([FOLDER, "package-lock.json"], (path) => !path.startsWith(`${FOLDER}/.next/`));
  if (built.equals(sources)) return;
  await built.around(sources, async () => {
    await runProgram([NEXT, "build", APP, "--webpack"], { env: COMMON, later });
  });
}

/** Starts the built application at `url` and waits until it responds. Raises an Error with its output. */
export async function startNextApp(
  url: string,
  { env, logFile }: Readonly<{ env: Readonly<Record<string, string>>; logFile: string }>,
): Promise<NextSite> {
  const { hostname, port } = new URL(url);
  const secret = randomBytes(32).toString("hex");
  const program = startProgram([NEXT, "start", APP, "--hostname", hostname, "--port", port], {
    env: { ...COMMON, NEXTAUTH_URL: url, NEXTAUTH_SECRET: secret, ...env },
    logFile,
  });
  try {
    await untilItAnswers(`${url}/api/auth/providers`, program);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return { output: program.output, close: program.stop };
}
