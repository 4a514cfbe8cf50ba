import type { Config } from "@/kernel/config/config";
import type { Instance } from "@/server/first-start";

/** Raised for invalid input: the message is printed on standard error, and the exit status is 2. */
export class UsageError extends Error {}

/** The output of a command: text for a human reader, or one JSON object with `--json`. */
export type Output = Readonly<{ text: string; json: object; failed?: boolean }>;

export type OptionKinds = Readonly<Record<string, "text" | "list" | "flag">>;

export type Options<Kinds extends OptionKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends "flag"
    ? boolean
    : Kinds[Name] extends "list"
      ? readonly string[]
      : string | undefined;
};

/** The definition of a command `gatehouse <noun> <verb>`. */
export type Command = Readonly<{
  name: string;
  about: string;
  /** The text that follows the name of the command in the list of commands. */
  usage: string;
  options: OptionKinds;
  /**
   * The required positional arguments, with the names that `usage` shows. Additional arguments are refused.
   */
  words?: readonly string[];
  /**
   * `parsed.options` contains a value of the declared kind for each option, and `parsed.words` contains a
   * value for each positional argument.
   */
  run: (
    environment: CommandEnvironment,
    parsed: ParsedOptions,
    words: readonly string[],
  ) => Promise<Output | null>;
}>;

export type ParsedOptions = Readonly<Record<string, unknown>>;

export type CommandEnvironment = Readonly<{
  config: Config;
  /** The folder in which the user runs the command. Relative paths of options refer to this folder. */
  workingFolder: string;
  /**
   * Opens the instance, which must exist. The instance is closed after the command has ended.
   * @throws an Error that names the database in which no instance exists.
   */
  open: () => Promise<Instance>;
}>;

/** Defines a command. The declared options determine the type of the parsed options. */
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

/** Returns the value of a required option. */
export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === "") throw new UsageError(`--${option} is missing.`);
  return value;
}
