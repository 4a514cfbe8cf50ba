import { type ChildProcess, fork } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The output of one command and its exit status. */
export type Finished = Readonly<{ code: number | null; stdout: string; stderr: string }>;

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The process that runs `gatehouse` commands, for all instances of this test process. The command process
 * ends when this test process ends.
 */
let child: ChildProcess | null = null;
let commands = 0;

/**
 * Runs `gatehouse …argv` with these environment variables, in a process that later commands reuse, because
 * loading the program takes longer than most commands.
 */
export function runCommand(env: NodeJS.ProcessEnv, argv: readonly string[]): Promise<Finished> {
  if (child === null || child.exitCode !== null) {
    child = fork(join(ROOT, "e2e/command-line.mjs"), { cwd: ROOT, execArgv: [] });
    // Each command that waits for its result adds a listener to this emitter.
    child.setMaxListeners(0);
    // The test process may end before the command process, so the command process must not keep the test
    // process alive.
    child.unref();
    child.channel?.unref();
  }
  return resultOf(child, { id: ++commands, env, argv });
}

type Command = Readonly<{ id: number; env: NodeJS.ProcessEnv; argv: readonly string[] }>;

function resultOf(child: ChildProcess, command: Command): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      child.off("message", receive).off("exit", fail);
      finish();
    };
    const receive = (message: Finished & { id: number }): void => {
      const { id, ...finished } = message;
      if (id === command.id) settle(() => resolve(finished));
    };
    const fail = (): void =>
      settle(() => reject(new Error(`The command line ended during: ${command.argv.join(" ")}`)));
    child.on("message", receive).on("exit", fail);
    child.send(command);
  });
}
