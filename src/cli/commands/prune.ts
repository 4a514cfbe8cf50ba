import * as audit from "@/instance/audit/service";
import { prune } from "@/operations/pruning/service";
import { defineCommand } from "./command";

const pruneCommand = defineCommand({
  name: "prune",
  usage: "",
  about: "Remove expired data now. A running server also removes expired data at regular intervals.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const removed = await prune(deps);
    await audit.record(deps, "data.pruned", { removed }, {});
    const lines = Object.entries(removed).map(([kind, count]) => `${kind.replaceAll("_", " ")}: ${count}`);
    return { text: `Removed ${lines.join(", ")}.`, json: { removed } };
  },
});

export const commands = [pruneCommand];
