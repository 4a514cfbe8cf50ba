import { serve } from "@/server/serve";
import { defineCommand } from "./command";

const serveCommand = defineCommand({
  name: "serve",
  usage: "",
  about:
    "Run the server until it is stopped. The environment configures it: PORT, HOST, BASE_URL, DATA_DIR, DATABASE_URL.",
  options: {},
  run: async ({ config }) => {
    await serve(config);
    return null;
  },
});

export const commands = [serveCommand];
