import { afterAll, beforeAll, expect, vi } from "vitest";
import { main } from "@/cli/main.ts";
import type { DatabaseConfig } from "@/kernel/config/config.ts";
import { emptyDatabase } from "./database.ts";
import { temporaryFolder } from "./folder.ts";

const ROOT_PASSWORD = "the first password";

/** Sets the environment variables of an instance on `database`. @returns the data folder of the instance. */
export function useInstance(database: DatabaseConfig): string {
  const folder = temporaryFolder();
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("DATABASE_URL", database.provider === "sqlite" ? `file:${database.file}` : database.url);
  vi.stubEnv("GATEHOUSE_SECRET", "the secret of the tests, which protects nothing");
  vi.stubEnv("GATEHOUSE_ROOT_PASSWORD", ROOT_PASSWORD);
  vi.stubEnv("BASE_URL", "http://localhost:3000");
  vi.stubEnv("LOG_LEVEL", "silent");
  return folder;
}

/**
 * Creates an instance with `gatehouse migrate` on a new database, and sets its environment variables. The next command
 * creates the administrator. @returns the data folder of the instance.
 */
export async function useNewInstance(): Promise<string> {
  const folder = useInstance(await emptyDatabase());
  await gatehouse("migrate");
  return folder;
}

const written = { out: "", err: "" };

/** Captures the output of commands in the test file, and restores the environment afterwards. */
export function commandLine(): void {
  beforeAll(() => {
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.out += text;
      return true;
    });
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      written.err += text;
      return true;
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
}

type Ran = Readonly<{ status: number; out: string; err: string }>;

/** Runs a command. @returns the exit status and the output of the command. */
export async function gatehouse(...argv: string[]): Promise<Ran> {
  Object.assign(written, { out: "", err: "" });
  const status = await main(argv);
  return { status, ...written };
}

/** Runs a command with `--json`. @returns the JSON object that the command prints. */
export async function json(...argv: string[]): Promise<Record<string, unknown>> {
  const { status, out, err } = await gatehouse(...argv, "--json");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out.endsWith("\n") && out.trim().split("\n").length === 1, "one line").toBe(true);
  return JSON.parse(out);
}
