import type { Config } from "@/kernel/config/config";
import type { Instance } from "@/server/first-start";

/** Bad input: a sentence on standard error and exit status 2. */
export class UsageError extends Error {}

/** What a command prints: text for a person, or one JSON object with `--json`. */
export type Output = Readonly<{ text: string; json: object; failed?: boolean }>;

export type OptionKinds = Readonly<Record<string, "text" | "list" | "flag">>;

export type Options<Kinds extends OptionKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends "flag"
    ? boolean
    : Kinds[Name] extends "list"
      ? readonly string[]
      : string | undefined;
};

/** One `gatehouse <noun> <verb>`. */
export type Command = Readonly<{
  name: string;
  about: string;
  /** Shown after the name in the list of commands. */
  usage: string;
  options: OptionKinds;
  /** What stands after the name without an option, by names that `usage` shows: all of them, and nothing else. */
  words?: readonly string[];
  /** `parsed` has a value of the declared kind for each of `options`, `words` as many as were declared. */
  run: (
    environment: CommandEnvironment,
    parsed: ParsedOptions,
    words: readonly string[],
  ) => Promise<Output | null>;
}>;

export type ParsedOptions = Readonly<Record<string, unknown>>;

export type CommandEnvironment = Readonly<{
  config: Config;
  /** Opens the instance; it is closed when the command has ended. */
  open: () => Promise<Instance>;
}>;

/** Keeps the names and kinds of the options together with the code that reads them. */
export const defineCommand = <const Kinds extends OptionKinds>(
  command: Omit<Command, "options" | "run"> & {
    readonly options: Kinds;
    readonly run: (
      environment: CommandEnvironment,
      options: Options<Kinds>,
      words: readonly string[],
    ) => Promise<Output | null>;
  },
): Command => ({
  ...command,
  run: (environment, parsed, words) => command.run(environment, parsed as Options<Kinds>, words),
});

/** The value of an option that must be there. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === "") throw new UsageError(`--${option} is missing.`);
  return value;
}
