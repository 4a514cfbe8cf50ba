import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The output of one command and its exit status. */
export type Finished = Readonly<{ code: number | null; stdout: string; stderr: string }>;

type CommandLine = Readonly<{
  run: (argv: readonly string[]) => Promise<Finished>;
  stop: () => Promise<void>;
}>;

/**
 * Runs commands in one process next to the server, with these environment variables. The process starts with the first command.
 */
export function commandLine(root: string, env: NodeJS.ProcessEnv): CommandLine {
  let child: ChildProcess | null = null;
  let commands = 0;

  function start(): ChildProcess {
    const started = fork(join(root, "e2e/command-line.mjs"), { cwd: root, env, execArgv: [] });
    // Each command that waits for its result adds a listener to this emitter.
    started.setMaxListeners(0);
    return started;
  }

  return {
    run: (argv) => {
      child ??= start();
      return answerTo(child, { id: ++commands, argv });
    },
    stop: async () => {
      if (child === null || child.exitCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    },
  };
}

type Command = Readonly<{ id: number; argv: readonly string[] }>;

function answerTo(child: ChildProcess, command: Command): Promise<Finished> {
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
