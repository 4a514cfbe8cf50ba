import { once } from "node:events";
import type { Server } from "node:http";
import type { Config } from "@/kernel/config/config.ts";

const LISTEN_PROBLEMS: Readonly<Record<string, (config: Config) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is already in use. Stop the program that listens on this port, or set PORT to another port.`,
  EACCES: ({ port }) =>
    `This account is not allowed to listen on port ${port}. Set PORT to a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine has no IP address ${host}. Set HOST to an IP address of this machine.`,
  ENOTFOUND: ({ host }) => `The name ${host} cannot be found. Set HOST to an IP address of this machine.`,
};

/**
 * Opens the configured port.
 * @throws an Error whose message is a sentence for the terminal when the port cannot be opened.
 */
export async function listen(server: Server, config: Config): Promise<void> {
  server.listen({ port: config.port, host: config.host });
  try {
    await once(server, "listening");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    throw new Error(LISTEN_PROBLEMS[code]?.(config) ?? `The server cannot listen: ${String(cause)}`, {
      cause,
    });
  }
}
