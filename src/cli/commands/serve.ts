import { serve } from "@/server/serve";
import { defineCommand } from "./command";

const serveCommand = defineCommand({
  name: "serve",
  usage: "",
  about: "Run the server. Environment variables configure it: PORT, HOST, BASE_URL, DATA_DIR, DATABASE_URL.",
  options: {},
  run: async ({ config }) => {
    await serve(config);
    return null;
  },
});

export const commands = [serveCommand];
