import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { start, stopAll } from "@/testing/http-server.ts";
import { stopServer } from "./stop.ts";

afterEach(stopAll);

describe("the stop of a server", () => {
  it("a stopping server finishes open requests, reports that the server is not ready, and accepts no new connections", async () => {
    const { server, port, url } = await start();
    const socket = connect(port, "127.0.0.1");
    let answers = "";
    socket.on("data", (data) => {
      answers += data;
    });
    socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const cut = vi.spyOn(server, "closeAllConnections");
    const stopped = stopServer(server);
    socket.write("GET /-/stopping HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect(fetch(`${url}/who`)).rejects.toThrow();
    await Promise.all([stopped, once(socket, "close")]);
    expect(cut).not.toHaveBeenCalled();
    expect(answers).toContain("done");
    expect(answers).toContain("true");
  });

  it("a stopping server does not wait for idle keep-alive connections", async () => {
    const { server, url } = await start();
    await (await fetch(`${url}/who`)).text();
    const cut = vi.spyOn(server, "closeAllConnections");
    await stopServer(server);
    expect(cut).not.toHaveBeenCalled();
  });
});
