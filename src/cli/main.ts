import { parseArgs } from "node:util";
import { processConfig } from "@/kernel/config/config";
import { PRODUCT_VERSION } from "@/kernel/config/product";
import type { Instance } from "@/server/first-start";
import {
  type Command,
  type OptionKinds,
  type Output,
  type ParsedOptions,
  UsageError,
} from "./commands/command";

/**
 * The commands of each noun, in the order of the help text. Only the module of the requested noun is loaded.
 */
const NOUNS: readonly (readonly [
  nouns: readonly string[],
  load: () => Promise<{ commands: readonly Command[] }>,
])[] = [
  [["serve"], () => import("./commands/serve")],
  [["migrate"], () => import("./commands/migrate")],
  [["doctor"], () => import("./commands/doctor")],
  [["user"], () => import("./commands/user")],
  [["application"], () => import("./commands/application")],
  [["token"], () => import("./commands/token")],
  [["project", "member"], () => import("./commands/project")],
  [["feature"], () => import("./commands/feature")],
  [["setting"], () => import("./commands/setting")],
  [["mail"], () => import("./commands/mail")],
  [["audit"], () => import("./commands/audit")],
  [["keys"], () => import("./commands/keys")],
  [["secret"], () => import("./commands/secret")],
  [["registry"], () => import("./commands/registry")],
  [["storage"], () => import("./commands/storage")],
  [["prune"], () => import("./commands/prune")],
  [["backup", "restore"], () => import("./commands/backup")],
];

/**
 * Runs one command `gatehouse <noun> <verb>`. Servers and other commands may use the instance simultaneously.
 * @param argv the arguments after the name of the program.
 * @param workingFolder the folder in which the user runs the command.
 * @returns the exit status: 0 for success, 2 for invalid input, 1 for a failure. Error messages go to
 * standard error.
 */
export async function main(argv: readonly string[], workingFolder = process.cwd()): Promise<number> {
  try {
    return await run(argv, workingFolder);
  } catch (cause) {
    const usage = cause instanceof UsageError;
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
    return usage ? 2 : 1;
  }
}

async function run(argv: readonly string[], workingFolder: string): Promise<number> {
  const asksForHelp = argv.length === 0 || argv.includes("--help") || argv[0] === "help";
  if (asksForHelp) {
    process.stdout.write(await help());
    return 0;
  }
  if (argv.includes("--version")) {
    process.stdout.write(`gatehouse ${PRODUCT_VERSION}\n`);
    return 0;
  }
  const load = NOUNS.find(([nouns]) => nouns.includes(argv[0] ?? ""))?.[1];
  const commands = (await load?.())?.commands;
  const command = commands?.find(({ name }) => `${argv.join(" ")} `.startsWith(`${name} `));
  if (command === undefined)
    throw new UsageError(
      `There is no command "${argv.slice(0, 2).join(" ")}". Run "gatehouse --help" to list the commands.`,
    );
  const { options: parsed, words } = parse(command, argv.slice(command.name.split(" ").length));
  const { json, ...options } = parsed;
  let instance: Instance | null = null;
  const open = async () => {
    const { firstStartSentence, openInstance } = await import("@/server/first-start");
    const report = (sentence: string) => void process.stderr.write(`${sentence}\n`);
    instance ??= await openInstance(processConfig(), { report, mustExist: true });
    if (instance.firstStart) process.stderr.write(`${firstStartSentence(instance.firstStart)}\n`);
    return { ...instance, deps: { ...instance.deps, commandLine: true as const } };
  };
  try {
    const environment = { config: processConfig(), workingFolder, open };
    return print(await command.run(environment, options, words), json === true);
  } finally {
    await (instance as Instance | null)?.close();
  }
}

function print(output: Output | null, json: boolean): number {
  if (output === null) return 0;
  process.stdout.write(`${json ? JSON.stringify(output.json) : output.text}\n`);
  return output.failed ? 1 : 0;
}

const EMPTY = { text: undefined, list: [], flag: false } as const;

/**
 * Returns the arguments with `--list A --list B` instead of `--list A B`. All arguments between a list option
 * and the next option are values of the list option.
 */
function spreadLists(args: readonly string[], kinds: OptionKinds): string[] {
  let list: string | null = null;
  let isFollowed = false;
  return args.flatMap((word) => {
    if (word.startsWith("-")) {
      const [, name = ""] = /^--([^=]+)/.exec(word) ?? [];
      list = kinds[name] === "list" ? `--${name}` : null;
      isFollowed = word.includes("=");
      return [word];
    }
    const words = list !== null && isFollowed ? [list, word] : [word];
    isFollowed = true;
    return words;
  });
}

/**
 * Returns the arguments with negative numbers after `--`, where `parseArgs` does not treat them as options. A number
 * that is the value of an option stays after the option.
 */
function withNumbersLast(args: readonly string[], kinds: OptionKinds): string[] {
  if (args.includes("--")) return [...args];
  const isValue = (at: number): boolean => {
    const [, name = ""] = /^--([^=]+)$/.exec(args[at - 1] ?? "") ?? [];
    return kinds[name] === "text" || kinds[name] === "list";
  };
  const numbers = args.filter((word, at) => /^-\d/.test(word) && !isValue(at));
  const others = args.filter((word, at) => !/^-\d/.test(word) || isValue(at));
  return numbers.length === 0 ? others : [...others, "--", ...numbers];
}

function parse(
  command: Command,
  args: readonly string[],
): { options: ParsedOptions; words: readonly string[] } {
  const kinds: OptionKinds = { ...command.options, json: "flag" };
  const declared = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === "flag" ? ("boolean" as const) : ("string" as const), multiple: kind === "list" },
    ]),
  );
  const empty = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, EMPTY[kind]]));
  const expected = command.words ?? [];
  try {
    const allowPositionals = expected.length > 0;
    const spread = spreadLists(args, kinds);
    const { values, positionals } = parseArgs({
      args: allowPositionals ? withNumbersLast(spread, kinds) : spread,
      options: declared,
      strict: true,
      allowPositionals,
    });
    if (positionals.length !== expected.length)
      throw new Error(
        positionals.length < expected.length ? "An argument is missing" : "There are too many arguments",
      );
    return { options: { ...empty, ...values }, words: positionals };
  } catch (cause) {
    const problem = cause instanceof Error ? (cause.message.split(". ", 1)[0] ?? "") : String(cause);
    throw new UsageError(`${problem}. Usage: gatehouse ${command.name} ${command.usage}`);
  }
}

async function help(): Promise<string> {
  const modules = await Promise.all(NOUNS.map(([, load]) => load()));
  const commands = modules.flatMap((module) => module.commands);
  return [
    "gatehouse <noun> <verb> [options] [--json]",
    "",
    ...commands.map(({ name, usage, about }) => `  ${`${name} ${usage}`.trim()}\n      ${about}`),
    "",
  ].join("\n");
}
