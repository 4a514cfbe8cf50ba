import { setTimeout as pause } from "node:timers/promises";
import { POST } from "@app/oauth/token/route.ts";
import { readConfig } from "@/kernel/config/config.ts";
import { openInstance } from "@/server/first-start.ts";

/**
 * This program exchanges authorization codes simultaneously with other processes, and prints the status of the response
 * to each code.
 */
type Input = Readonly<{
  environment: Readonly<Record<string, string>>;
  forms: readonly string[];
  /** The time at which all processes begin to exchange authorization codes, in milliseconds since 1970. */
  beginAt: number;
}>;

const { environment, forms, beginAt }: Input = JSON.parse(process.argv[2] ?? "");
const { close } = await openInstance(readConfig(environment));
await pause(Math.max(0, beginAt - Date.now()));
const statuses = await Promise.all(
  forms.map(async (body) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return (await POST(new Request("http://localhost:3000/oauth/token", { method: "POST", headers, body })))
      .status;
  }),
);
await close();
process.stdout.write(JSON.stringify(statuses));
