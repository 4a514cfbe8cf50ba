// Answers each request 200 with the headers and the body of its argument, as JSON, and does nothing else: the least that a
// request costs with node:http. Listens on `PORT`.
import { createServer } from "node:http";

const { headers, body } = /** @type {{ headers: Record<string, string>, body: string }} */ (
  JSON.parse(process.argv[2] ?? "")
);

createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(process.env["PORT"]), "127.0.0.1");
