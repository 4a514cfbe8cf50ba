// A Node server that runs `git http-backend` for each request. PORT is the port of the server, and FOLDER
// contains the repositories.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";

const { NODE_ENV, PATH, PORT, FOLDER } = process.env;

createServer((request, response) => {
  const [path, query = ""] = (request.url ?? "").split("?");
  const child = spawn("git", ["http-backend"], {
    env: {
      NODE_ENV,
      PATH,
      GIT_PROJECT_ROOT: FOLDER,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  pipeline(request, child.stdin).catch(() => undefined);
  answer(child.stdout, response).catch(() => response.destroy());
}).listen(Number(PORT));

/**
 * Splits the output of a CGI program into headers and body at the first empty line.
 * @param {import("node:stream").Readable} stdout
 * @param {import("node:http").ServerResponse} response
 */
async function answer(stdout, response) {
  let head = Buffer.alloc(0);
  let end = -1;
  while (end === -1) {
    const chunk = stdout.read();
    if (chunk === null) await new Promise((resolve) => stdout.once("readable", resolve));
    else {
      head = Buffer.concat([head, chunk]);
      end = head.indexOf("\r\n\r\n");
    }
  }
  for (const line of head.subarray(0, end).toString("latin1").split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    if (name === "Status") response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.write(head.subarray(end + 4));
  await pipeline(stdout, response);
}
